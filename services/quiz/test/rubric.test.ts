import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { scrape } from '@gradeway/test/metrics';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  changeRubric,
  etagOf,
  grade,
  gradeByItem,
  gradedEvents,
  makeRubric,
  newGrader,
  newQueue,
  type RubricObject,
  submissionPath,
} from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const body = (change: object = {}) => ({
  mode: 'add',
  max_points: 10,
  items: [
    { points: 0.1, text: 'A tenth', key: '1' },
    { points: 6, text: 'Six', explanation: 'Because', group: 'a' },
    { points: 2, text: 'Two' },
  ],
  ...change,
});

/** A rubric, and submissions. The first ones are graded with it, each with the items at the given positions. */
async function newScene(selections: number[][] = []) {
  const queue = await newQueue(quiz, Math.max(1, selections.length));
  const [grader, editor] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
  const rubric = await makeRubric(grader, queue, body());
  for (const [index, places] of selections.entries()) {
    const selection = places.map((place) => rubric.items[place]?.id);
    await grade(grader, queue.submissionIds[index], { selection, rubric_revision: rubric.revision });
  }
  return { ...queue, queue, grader, editor, rubric, items: rubric.items as Required<RubricObject>['items'] };
}

const detailOf = async ({ grader }: Awaited<ReturnType<typeof newScene>>, id: number | undefined) =>
  (await grader.get(submissionPath(id))).body.data;

describe('a rubric', () => {
  test('a rubric is 404 before it is created, creating it is 201, and it is then read with its tag', async () => {
    const queue = await newQueue(quiz, 0);
    const grader = newGrader(quiz, queue.courseId);
    expect((await grader.get(`${queue.path}/rubric`)).status).toBe(404);
    const made = await grader.put(`${queue.path}/rubric`, body(), { 'if-none-match': '*' });
    expect(made.status).toBe(201);
    expect(made.body.data).toEqual({
      revision: 1,
      mode: 'add',
      max_points: 10,
      min_points: 0,
      items: [
        {
          id: expect.any(Number),
          points: 0.1,
          text: 'A tenth',
          explanation: null,
          group: null,
          key: '1',
          uses: 0,
        },
        {
          id: expect.any(Number),
          points: 6,
          text: 'Six',
          explanation: 'Because',
          group: 'a',
          key: null,
          uses: 0,
        },
        {
          id: expect.any(Number),
          points: 2,
          text: 'Two',
          explanation: null,
          group: null,
          key: null,
          uses: 0,
        },
      ],
    });
    const read = await grader.get(`${queue.path}/rubric`);
    expect([read.body, etagOf(read)]).toEqual([made.body, etagOf(made)]);
    const [item] = (await grader.get('/api/v3/grading/quizzes')).body.data;
    expect(item).toMatchObject({ has_rubric: true, total_grade: 10 });
  });

  test('a change to a rubric is 428 without a condition, and 412 with the current rubric if the condition is stale', async () => {
    const { grader, path } = await newScene();
    const send = (headers: Record<string, string>) => grader.put(`${path}/rubric`, body(), headers);
    const present = await grader.get(`${path}/rubric`);
    const missing = await send({});
    expect([missing.status, missing.body]).toEqual([428, { message: 'Precondition Required', errors: null }]);
    const stales: Record<string, string>[] = [
      { 'if-none-match': '*' },
      { 'if-match': '"old"' },
      { 'if-match': `W/${etagOf(present)}` },
    ];
    for (const headers of stales) {
      const stale = await send(headers);
      expect([stale.status, stale.body]).toEqual([
        412,
        { message: 'Changed meanwhile', errors: null, data: present.body.data },
      ]);
      expect(etagOf(stale)).toBe(etagOf(present));
    }
    expect((await send({ 'if-match': '*' })).status).toBe(200);
  });

  test('a missing rubric is 412 with null for PUT with If-Match, and 404 for DELETE', async () => {
    const queue = await newQueue(quiz, 0);
    const grader = newGrader(quiz, queue.courseId);
    const put = await grader.put(`${queue.path}/rubric`, body(), { 'if-match': '*' });
    expect([put.status, put.body]).toEqual([412, { message: 'Changed meanwhile', errors: null, data: null }]);
    expect((await grader.delete(`${queue.path}/rubric`)).status).toBe(404);
  });

  test('a rubric keeps items by id, and its tag does not depend on their uses', async () => {
    const { grader, queue, items, path } = await newScene();
    const before = etagOf(await grader.get(`${path}/rubric`));
    await grade(grader, queue.submissionIds[0], { selection: [items[0]?.id], rubric_revision: 1 });
    expect(etagOf(await grader.get(`${path}/rubric`))).toBe(before);
    const changed = await changeRubric(
      grader,
      queue,
      body({ items: [...items.toReversed(), { points: 1, text: 'New' }] }),
    );
    expect(changed.status).toBe(200);
    expect(changed.body.data.items.map(({ id, uses }: { id: number; uses: number }) => [id, uses])).toEqual([
      [items[2]?.id, 0],
      [items[1]?.id, 0],
      [items[0]?.id, 1],
      [expect.any(Number), 0],
    ]);
    expect(changed.body.data.revision).toBe(2);
  });

  test('a rubric with an item of another rubric is 422', async () => {
    const [own, other] = [await newScene(), await newScene()];
    const answer = await changeRubric(own.grader, own.queue, body({ items: other.items }));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['items']]);
  });

  test('only one of two graders who create a rubric at once succeeds', async () => {
    const queue = await newQueue(quiz, 0);
    const graders = Array.from({ length: 5 }, () => newGrader(quiz, queue.courseId));
    const answers = await Promise.all(
      graders.map((grader) => grader.put(`${queue.path}/rubric`, body(), { 'if-none-match': '*' })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 412, 412, 412, 412]);
  });
});

describe('a change to the rubric', () => {
  test('a change to the rubric regrades submissions whose points change, keeps their grader, and is in the history with its author', async () => {
    const scene = await newScene([[0], [1], [0, 2]]);
    const { grader, editor, queue, items } = scene;
    await grade(grader, queue.submissionIds[1], { comment: 'Six it is' });
    const changed = items.map((item, place) => (place === 0 ? { ...item, points: 0.3 } : item));
    expect((await changeRubric(editor, queue, body({ items: changed }))).status).toBe(200);
    const details = await Promise.all(queue.submissionIds.map((id) => detailOf(scene, id)));
    expect(details.map((detail) => detail.grade)).toEqual([0.3, 6, 2.3]);
    expect(details.map((detail) => detail.rubric_revision)).toEqual([2, 2, 2]);
    expect(details.map((detail) => detail.revision)).toEqual([2, 2, 2]);
    expect(details.map((detail) => detail.graded_by.id)).toEqual([grader.id, grader.id, grader.id]);
    const { body: first } = await grader.get(`${submissionPath(queue.submissionIds[0])}/history`);
    expect(first.data[0]).toMatchObject({
      grade: 0.3,
      reason: 'rubric',
      rubric_revision: 2,
      graded_by: { id: editor.id },
    });
    const { body: second } = await grader.get(`${submissionPath(queue.submissionIds[1])}/history`);
    expect(second.data.map(({ reason }: { reason: string }) => reason)).toEqual(['graded', 'graded']);
    expect(
      (await gradedEvents(quiz, queue.submissionIds[0])).map((event) => [event.grade, event.revision]),
    ).toEqual([
      [0.1, 1],
      [0.3, 2],
    ]);
  });

  test('a change to the rubric regrades if only the total changes, but not for a new item that is never selected', async () => {
    const scene = await newScene([[1]]);
    const { queue, editor, items } = scene;
    const [id] = queue.submissionIds;
    await changeRubric(editor, queue, body({ items: [...items, { points: 3, text: 'New' }] }));
    expect(await detailOf(scene, id)).toMatchObject({ grade: 6, revision: 1, rubric_revision: 2 });
    await changeRubric(editor, queue, body({ max_points: 20, items }));
    expect(await detailOf(scene, id)).toMatchObject({
      grade: 6,
      total_grade: 20,
      revision: 2,
      rubric_revision: 3,
    });
  });

  test('a change to the rubric leaves grades that were given without it', async () => {
    const scene = await newScene([[1], [1]]);
    const [first, second] = scene.queue.submissionIds;
    await grade(scene.grader, second, { grade: 1 });
    await changeRubric(scene.editor, scene.queue, body({ items: scene.items.slice(0, 1) }));
    expect((await detailOf(scene, first)).grade).toBe(0);
    expect(await detailOf(scene, second)).toMatchObject({ grade: 1, revision: 2, rubric_revision: null });
  });

  test('a change to the rubric that puts two selected items into one group is 422 and changes nothing', async () => {
    const scene = await newScene([[0], [1, 2]]);
    const items = scene.items.map((item) => ({ ...item, group: 'a', points: 1 }));
    const answer = await changeRubric(scene.editor, scene.queue, body({ items }));
    expect([answer.status, answer.body.errors.items]).toEqual([
      422,
      [expect.stringContaining('Six and Two')],
    ]);
    expect((await detailOf(scene, scene.queue.submissionIds[0])).grade).toBe(0.1);
    expect((await scene.grader.get(`${scene.path}/rubric`)).body.data.revision).toBe(1);
  });

  test('a dry run of a change to the rubric returns its effects and changes nothing', async () => {
    const scene = await newScene([[0], [1], [0, 2]]);
    const items = scene.items.map((item, place) => ({ ...item, points: [0.3, 5, 2][place] }));
    const before = await scene.grader.get(`${scene.path}/rubric`);
    const dry = await changeRubric(scene.editor, scene.queue, body({ items }), '?dry_run=1');
    const [first, second, third] = scene.queue.submissionIds;
    expect([dry.status, dry.body.data]).toEqual([
      200,
      {
        regraded: 3,
        min_change: -1,
        max_change: 0.2,
        changes: [
          { submission_id: first, student_name: 'Ada Student 1', from: 0.1, to: 0.3 },
          { submission_id: second, student_name: 'Ada Student 2', from: 6, to: 5 },
          { submission_id: third, student_name: 'Ada Student 3', from: 2.1, to: 2.3 },
        ],
      },
    ]);
    expect((await scene.grader.get(`${scene.path}/rubric`)).body).toEqual(before.body);
    expect((await detailOf(scene, first)).grade).toBe(0.1);
    const same = await changeRubric(scene.editor, scene.queue, body({ items: scene.items }), '?dry_run=1');
    expect(same.body.data).toEqual({ regraded: 0, min_change: null, max_change: null, changes: [] });
    const stale = await scene.editor.put(`${scene.path}/rubric?dry_run=1`, body(), { 'if-match': '"old"' });
    expect(stale.status).toBe(412);
  });

  test('a change to the rubric regrades 1,000 submissions, each with a history entry and an event', async () => {
    const queue = await newQueue(quiz, 1_000);
    const [grader, editor] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
    const { items } = await makeRubric(grader, queue, body());
    await gradeByItem(quiz, queue, items[1]?.id);
    const regraded = async () =>
      (await scrape(quiz.service.adminUrl)).value('gradeway_regraded_submissions_total') ?? 0;
    const before = await regraded();
    const changed = items.map((item) => ({ ...item, points: 7.5 }));
    expect((await changeRubric(editor, queue, body({ items: changed }))).status).toBe(200);
    const [counted] = await quiz.database.query(
      `SELECT count(*)::int AS submissions, min(grade)::float8 AS least, max(grade)::float8 AS most,
         (SELECT count(*)::int FROM quiz.gradings g JOIN quiz.submissions s ON s.id = g.submission_id
          WHERE s.quiz_id = $1 AND g.reason = 'rubric' AND g.graded_by = $2) AS gradings,
         (SELECT count(*)::int FROM quiz.outbox WHERE body->'data'->>'quiz_id' = $1::text
          AND type = 'quiz.submission.graded.v1') AS events
       FROM quiz.submissions WHERE quiz_id = $1 AND revision = 2 AND rubric_revision = 2`,
      [queue.quizId, editor.id],
    );
    expect(counted).toEqual({ submissions: 1_000, least: 7.5, most: 7.5, gradings: 1_000, events: 1_000 });
    expect((await regraded()) - before).toBe(1_000);
  });

  test('a change to the rubric waits for a grading in progress and regrades it', async () => {
    const scene = await newScene([[0]]);
    const { queue, grader, editor, items } = scene;
    const [id] = queue.submissionIds;
    const seen = etagOf(await grader.get(`${queue.path}/rubric`));
    // Takes the locks of GradeWriter: a shared one on the rubric, then the submission.
    const answer = await changeWhileWaiting({
      database: quiz.database,
      schema: 'quiz',
      lock: `SELECT FROM rubrics WHERE item_id = ${queue.quizId} FOR SHARE`,
      send: () =>
        editor.put(`${queue.path}/rubric`, body({ items: items.map((item) => ({ ...item, points: 1 })) }), {
          'if-match': seen,
        }),
      change: `UPDATE submissions SET selection = ARRAY[${items[1]?.id}, ${items[2]?.id}], grade = 8 WHERE id = ${id}`,
    });
    expect(answer.status).toBe(200);
    expect(await detailOf(scene, id)).toMatchObject({ grade: 2, rubric_revision: 2 });
  });

  test('a grading that waits for a change to the rubric returns 412', async () => {
    const scene = await newScene([[0]]);
    const { queue, grader, items } = scene;
    const [id] = queue.submissionIds;
    const seen = etagOf(await grader.get(submissionPath(id)));
    const answer = await changeWhileWaiting({
      database: quiz.database,
      schema: 'quiz',
      lock: `SELECT FROM rubrics WHERE item_id = ${queue.quizId} FOR NO KEY UPDATE`,
      send: () =>
        grader.put(
          submissionPath(id),
          { selection: [items[1]?.id], rubric_revision: 1 },
          { 'if-match': seen },
        ),
      change: `UPDATE rubrics SET revision = 2 WHERE item_id = ${queue.quizId}`,
    });
    expect(answer.status).toBe(412);
    expect(await detailOf(scene, id)).toMatchObject({ grade: 0.1, revision: 1 });
  });
});

describe('the deletion of a rubric', () => {
  test('deleting a rubric needs If-Match, keeps grades, and drops selections without a history entry or event', async () => {
    const scene = await newScene([[1]]);
    const { grader, queue, path } = scene;
    const [id] = queue.submissionIds;
    const tag = etagOf(await grader.get(`${path}/rubric`));
    expect((await grader.delete(`${path}/rubric`)).status).toBe(428);
    expect((await grader.delete(`${path}/rubric`, { 'if-match': '"old"' })).status).toBe(412);
    expect((await grader.delete(`${path}/rubric`, { 'if-match': tag })).status).toBe(204);
    expect(await detailOf(scene, id)).toMatchObject({
      grade: 6,
      total_grade: 10,
      selection: [],
      adjustment: 0,
      rubric_revision: null,
      revision: 1,
      rubric: null,
    });
    expect((await grader.get(`${submissionPath(id)}/history`)).body.data).toHaveLength(1);
    expect(await gradedEvents(quiz, id)).toHaveLength(1);
  });

  test('a rubric made after a deletion has a later revision, so that an old one is never valid again', async () => {
    const scene = await newScene([[1]]);
    const { grader, queue, path } = scene;
    await grader.delete(`${path}/rubric`, { 'if-match': '*' });
    const again = await makeRubric(grader, queue, body());
    expect(again.revision).toBe(2);
    const stale = await grade(grader, queue.submissionIds[0], { selection: [], rubric_revision: 1 });
    expect(stale.status).toBe(412);
  });
});
