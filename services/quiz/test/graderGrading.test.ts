import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, grade, gradedEvents, makeRubric, newGrader, newQueue, submissionPath } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

async function newScene(fields?: Record<string, string>) {
  const queue = await newQueue(quiz, 1, fields);
  const [id] = queue.submissionIds as [number];
  const [grader, other] = [newGrader(quiz, queue.courseId), newGrader(quiz, queue.courseId)];
  return { ...queue, id, path: submissionPath(id), queue, grader, other };
}

const rubric = {
  mode: 'add',
  max_points: 8,
  items: [
    { points: 0.1, text: 'A tenth' },
    { points: 0.2, text: 'Two tenths' },
    { points: 3, text: 'Either', group: 'one' },
    { points: 5, text: 'Or', group: 'one' },
  ],
};
const history = async ({ grader, path }: Awaited<ReturnType<typeof newScene>>) =>
  (await grader.get(`${path}/history`)).body.data;

describe('a grade', () => {
  test('a grading returns the detail and a new tag, is in the history, and is published', async () => {
    const scene = await newScene();
    const { grader, path, id } = scene;
    const before = await grader.get(path);
    const answer = await grader.put(path, { grade: '7.25', comment: 'Good' }, { 'if-match': etagOf(before) });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      id,
      status: 'graded',
      grade: 7.25,
      total_grade: 10,
      comment: 'Good',
      graded_by: { id: grader.id, name: grader.name },
      selection: [],
      adjustment: 0,
      rubric_revision: null,
      revision: 1,
    });
    expect(etagOf(answer)).not.toBe(etagOf(before));
    const after = await grader.get(path);
    expect(after.body).toEqual(answer.body);
    expect(etagOf(after)).toBe(etagOf(answer));
    expect(await history(scene)).toEqual([
      {
        grade: 7.25,
        total_grade: 10,
        comment: 'Good',
        selection: [],
        adjustment: 0,
        rubric_revision: null,
        reason: 'graded',
        graded_by: { id: grader.id, name: grader.name },
        graded_at: answer.body.data.graded_at,
      },
    ]);
    expect(await gradedEvents(quiz, id)).toEqual([
      expect.objectContaining({
        grade: 7.25,
        total_grade: 10,
        comment: 'Good',
        graded_by: grader.id,
        revision: 1,
      }),
    ]);
  });

  test('a grade uses its own total, otherwise the total of the rubric or of the quiz, and is 422 without any of them', async () => {
    const without = await newScene({});
    const missing = await grade(without.grader, without.id, { grade: 1 });
    expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ['total_grade']]);
    expect(
      (await grade(without.grader, without.id, { grade: 1, total_grade: 4 })).body.data.total_grade,
    ).toBe(4);
    const scene = await newScene();
    expect((await grade(scene.grader, scene.id, { grade: 1 })).body.data.total_grade).toBe(10);
    await makeRubric(scene.grader, scene.queue, rubric);
    expect((await grade(scene.grader, scene.id, { grade: 1 })).body.data.total_grade).toBe(8);
    const above = await grade(scene.grader, scene.id, { grade: 8.0001 });
    expect([above.status, above.body.errors]).toEqual([
      422,
      { grade: ['The grade may not be greater than the total grade.'] },
    ]);
  });

  test.each([
    ['nothing for an ungraded submission', {}, 'grade'],
    ['only a comment for an ungraded submission', { comment: 'Good' }, 'grade'],
    ['no number', { grade: 'seven' }, 'grade'],
    ['null', { grade: null }, 'grade'],
    ['five decimals', { grade: 0.00001 }, 'grade'],
    ['a comment of 1,001 characters', { grade: 1, comment: '💚'.repeat(1_001) }, 'comment'],
    ['a selection without a rubric', { selection: [], rubric_revision: 1 }, 'selection'],
  ])('a grade of %s is 422', async (_, body, field) => {
    const { grader, id } = await newScene();
    const { status, body: answer } = await grade(grader, id, body);
    expect([status, answer.message, Object.keys(answer.errors)]).toEqual([422, 'Invalid Data', [field]]);
  });

  test('a grade without a selection clears an earlier selection', async () => {
    const scene = await newScene();
    const { revision, items } = await makeRubric(scene.grader, scene.queue, rubric);
    const selection = items.slice(0, 2).map(({ id }) => id);
    const selected = await grade(scene.grader, scene.id, {
      selection,
      rubric_revision: revision,
      adjustment: -0.05,
    });
    expect(selected.body.data).toMatchObject({ grade: 0.25, total_grade: 8, selection, adjustment: -0.05 });
    const given = await grade(scene.grader, scene.id, { grade: 0.25 });
    expect(given.body.data).toMatchObject({ selection: [], adjustment: 0, rubric_revision: null });
  });
});

describe('a selection', () => {
  test('the grade of a selection is exact, and the uses of its items are counted', async () => {
    const scene = await newScene();
    const { revision, items } = await makeRubric(scene.grader, scene.queue, rubric);
    const [tenth, twoTenths, either] = items.map(({ id }) => id) as [number, number, number];
    const answer = await grade(scene.grader, scene.id, {
      selection: [twoTenths, tenth],
      rubric_revision: revision,
    });
    expect(answer.body.data).toMatchObject({
      grade: 0.3,
      selection: [twoTenths, tenth],
      rubric_revision: revision,
    });
    const uses = async () =>
      (await scene.grader.get(`${scene.queue.path}/rubric`)).body.data.items.map(
        (item: { uses: number }) => item.uses,
      );
    expect(await uses()).toEqual([1, 1, 0, 0]);
    expect(answer.body.data.rubric.items.map((item: { uses: number }) => item.uses)).toEqual([1, 1, 0, 0]);
    await grade(scene.grader, scene.id, { selection: [tenth, either], rubric_revision: revision });
    expect(await uses()).toEqual([1, 0, 1, 0]);
    const { rows } = {
      rows: await quiz.database.query('SELECT grade::text FROM quiz.submissions WHERE id = $1', [scene.id]),
    };
    expect(rows).toEqual([{ grade: '3.1000' }]);
  });

  test('a selection of no items also counts as graded with the rubric', async () => {
    const scene = await newScene();
    const { revision } = await makeRubric(scene.grader, scene.queue, { ...rubric, mode: 'subtract' });
    const { body } = await grade(scene.grader, scene.id, { selection: [], rubric_revision: revision });
    expect(body.data).toMatchObject({ grade: 8, total_grade: 8, rubric_revision: revision });
  });

  test('a selection of an unknown item, or of two items of a group, is 422', async () => {
    const scene = await newScene();
    const { revision, items } = await makeRubric(scene.grader, scene.queue, rubric);
    const select = (selection: number[]) =>
      grade(scene.grader, scene.id, { selection, rubric_revision: revision });
    const unknown = await select([items[0]?.id ?? 0, 999_999]);
    expect([unknown.status, unknown.body.errors.selection]).toEqual([
      422,
      [expect.stringContaining('999999')],
    ]);
    const both = await select(items.slice(2).map(({ id }) => id));
    expect([both.status, both.body.errors.selection]).toEqual([
      422,
      [expect.stringContaining('Either and Or')],
    ]);
  });

  test('a selection from a different revision of the rubric is 412 with the current state', async () => {
    const scene = await newScene();
    const { revision } = await makeRubric(scene.grader, scene.queue, rubric);
    const answer = await grade(scene.grader, scene.id, { selection: [], rubric_revision: revision + 1 });
    expect(answer.status).toBe(412);
    expect(answer.body).toMatchObject({
      message: 'Changed meanwhile',
      errors: null,
      data: { id: scene.id, rubric: { revision } },
    });
  });
});

describe('a comment', () => {
  test('a comment without a grade adds a history entry and an event, and keeps the grade', async () => {
    const scene = await newScene();
    await grade(scene.grader, scene.id, { grade: 5, comment: 'First' });
    const { body } = await grade(scene.other, scene.id, { comment: 'Second' });
    expect(body.data).toMatchObject({ grade: 5, comment: 'Second', revision: 2 });
    expect((await history(scene)).map(({ comment }: { comment: string }) => comment)).toEqual([
      'Second',
      'First',
    ]);
    expect((await gradedEvents(quiz, scene.id)).map(({ comment }) => comment)).toEqual(['First', 'Second']);
  });

  test('the comment is kept when absent, and cleared by null or an empty text', async () => {
    const { grader, id } = await newScene();
    const comment = async (body: object) => (await grade(grader, id, body)).body.data.comment;
    expect(await comment({ grade: 5, comment: 'Good' })).toBe('Good');
    expect(await comment({ grade: 6 })).toBe('Good');
    expect(await comment({ comment: '' })).toBeNull();
    expect(await comment({ comment: 'Again' })).toBe('Again');
    expect(await comment({ grade: 6, comment: null })).toBeNull();
  });
});

describe('conditions', () => {
  test('a grading without If-Match is 428 before its body is validated', async () => {
    const { grader, path } = await newScene();
    const answer = await grader.put(path, { grade: 'seven' });
    expect([answer.status, answer.body]).toEqual([428, { message: 'Precondition Required', errors: null }]);
  });

  test.each(['"other"', 'W/"x"', 'malformed'])(
    'a grading with the tag %s is 412 with the current detail',
    async (tag) => {
      const { grader, path } = await newScene();
      const present = await grader.get(path);
      const answer = await grader.put(path, { grade: 5 }, { 'if-match': tag });
      expect(answer.status).toBe(412);
      expect(answer.body).toEqual({ message: 'Changed meanwhile', errors: null, data: present.body.data });
      expect(etagOf(answer)).toBe(etagOf(present));
    },
  );

  test('a grading with an invalid body is 422 even with a stale tag', async () => {
    const { grader, path } = await newScene();
    expect((await grader.put(path, { grade: -1 }, { 'if-match': '"old"' })).status).toBe(422);
    expect((await grader.put(path, { grade: 11 }, { 'if-match': '"old"' })).status).toBe(422);
  });

  test('a grading is accepted with If-Match * or with several tags if one matches', async () => {
    const { grader, path } = await newScene();
    expect((await grader.put(path, { grade: 5 }, { 'if-match': '*' })).status).toBe(200);
    const tag = etagOf(await grader.get(path));
    expect((await grader.put(path, { grade: 6 }, { 'if-match': `"a", ${tag}` })).status).toBe(200);
  });

  test('a grading that waits for another one of the same submission returns 412', async () => {
    const { grader, path, id } = await newScene();
    const seen = etagOf(await grader.get(path));
    const answer = await changeWhileWaiting({
      database: quiz.database,
      schema: 'quiz',
      lock: `SELECT FROM submissions WHERE id = ${id} FOR UPDATE`,
      send: () => grader.put(path, { grade: 7 }, { 'if-match': seen }),
      change: `UPDATE submissions SET revision = 1, grade = 2, total_grade = 10, graded_by = 9, graded_at = now() WHERE id = ${id}`,
    });
    expect(answer.status).toBe(412);
    expect(answer.body.data).toMatchObject({ grade: 2 });
    expect(await gradedEvents(quiz, id)).toEqual([]);
  });

  test('a repeated grading with an Idempotency-Key returns 200 again, although its tag is stale', async () => {
    const scene = await newScene();
    const seen = etagOf(await scene.grader.get(scene.path));
    const send = (body: object) =>
      scene.grader.put(scene.path, body, { 'if-match': seen, 'idempotency-key': `grade-${scene.id}` });
    const [first, second] = [await send({ grade: 7 }), await send({ grade: 7 })];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect(etagOf(second)).toBe(etagOf(first));
    expect((await send({ grade: 8 })).status).toBe(422);
    expect(await history(scene)).toHaveLength(1);
    expect(await gradedEvents(quiz, scene.id)).toHaveLength(1);
  });

  test('one of several simultaneous repetitions of a grading takes effect, and all return its result', async () => {
    const scene = await newScene();
    const headers = {
      'if-match': etagOf(await scene.grader.get(scene.path)),
      'idempotency-key': `all-${scene.id}`,
    };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => scene.grader.put(scene.path, { grade: 7 }, headers)),
    );
    const after = await scene.grader.get(scene.path);
    expect(after.body.data).toMatchObject({ grade: 7, revision: 1 });
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, body: after.body });
      expect(etagOf(answer)).toBe(etagOf(after));
    }
    expect(await history(scene)).toHaveLength(1);
  });

  test('a repetition after another grading returns the current state with the tag of the repeated grading', async () => {
    const scene = await newScene();
    const headers = {
      'if-match': etagOf(await scene.grader.get(scene.path)),
      'idempotency-key': `late-${scene.id}`,
    };
    const first = await scene.grader.put(scene.path, { grade: 7 }, headers);
    await grade(scene.other, scene.id, { grade: 3 });
    const repeated = await scene.grader.put(scene.path, { grade: 7 }, headers);
    expect(repeated).toMatchObject({ status: 200, body: { data: { grade: 3, revision: 2 } } });
    expect(etagOf(repeated)).toBe(etagOf(first));
  });
});

describe('endpoint 7', () => {
  const endpoint7 = (id: number, body: object) =>
    quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, quiz.admin, body);

  test.each([
    ['another grade', { grade: 4, total_grade: 10 }],
    ['the same grade', { grade: 0.3, total_grade: 8 }],
  ])(
    'a grading through endpoint 7 with %s clears the selection, keeps the comment and changes the tag',
    async (_, body) => {
      const scene = await newScene();
      const { revision, items } = await makeRubric(scene.grader, scene.queue, rubric);
      const selection = items.slice(0, 2).map(({ id }) => id);
      const graded = await grade(scene.grader, scene.id, {
        selection,
        rubric_revision: revision,
        comment: 'Kept',
      });
      expect((await endpoint7(scene.id, body)).status).toBe(200);
      const after = await scene.grader.get(scene.path);
      expect(after.body.data).toMatchObject({
        ...body,
        selection: [],
        rubric_revision: null,
        adjustment: 0,
        comment: 'Kept',
      });
      expect(etagOf(after)).not.toBe(etagOf(graded));
      expect(after.body.data.rubric.items.map((item: { uses: number }) => item.uses)).toEqual([0, 0, 0, 0]);
      expect((await history(scene))[0]).toMatchObject({
        ...body,
        selection: [],
        comment: 'Kept',
        rubric_revision: null,
      });
    },
  );

  test('the tag of endpoint 7 does not depend on comments and selections', async () => {
    const scene = await newScene();
    const { revision } = await makeRubric(scene.grader, scene.queue, { ...rubric, mode: 'subtract' });
    const { headers } = await endpoint7(scene.id, { grade: 8, total_grade: 8 });
    await grade(scene.grader, scene.id, { selection: [], rubric_revision: revision });
    const answer = await quiz.post(
      `/api/v3/quiz/pdf-quizzes/grade/${scene.id}`,
      quiz.admin,
      { grade: 3, total_grade: 8 },
      { 'if-match': headers.get('etag') ?? '' },
    );
    expect(answer.status).toBe(200);
  });
});
