import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { etagOf, gradedEvents, makeRubric, newGrader, newQueue } from './graders.ts';
import { setSettings } from './items.ts';
import {
  answerHistory,
  detailOf,
  gradeAnswers,
  makeQuestionRubric,
  newOutlineScene,
  outlineOf,
  putOutline,
  question,
  rubricPath,
} from './outlines.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const body = (change: object = {}) => ({
  mode: 'add',
  items: [
    { points: 0.1, text: 'A tenth' },
    { points: 3, text: 'Three' },
  ],
  ...change,
});

/**
 * A quiz with two questions. The answers to the first question are graded with its rubric, and the answers to the
 * second with 1 point.
 */
async function newScene(places: number[][] = [[1]]) {
  const scene = await newOutlineScene(quiz, [question('1'), question('2', 3)], places.length);
  const [one, two] = scene.questions;
  const rubric = await makeQuestionRubric(scene.teacher, scene, one?.id, body());
  const pointsOf = (selected: number[]) => selected.reduce((sum, place) => sum + (place === 0 ? 0.1 : 3), 0);
  await gradeAnswers(
    quiz,
    places.flatMap((selected, index) => [
      {
        ...{ submissionId: scene.submissionIds[index], questionId: one?.id, points: pointsOf(selected) },
        selection: selected.map((place) => rubric.items[place]?.id),
        rubricRevision: rubric.revision,
      },
      { submissionId: scene.submissionIds[index], questionId: two?.id, points: 1 },
    ]),
  );
  const path = rubricPath(scene, one?.id);
  const change = async (rubric: object, query = '') =>
    scene.teacher.put(`${path}${query}`, rubric, { 'if-match': etagOf(await scene.teacher.get(path)) });
  return { ...scene, one, two, rubric, items: rubric.items, rubricAt: path, change };
}

describe('the rubric of a question', () => {
  test('a rubric has the maximum of its question, which a request may omit', async () => {
    const scene = await newOutlineScene(quiz);
    const [one, two] = scene.questions;
    const path = rubricPath(scene, one?.id);
    expect((await scene.teacher.get(path)).status).toBe(404);
    const wrong = await scene.teacher.put(path, body({ max_points: 6 }), { 'if-none-match': '*' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['max_points']]);
    const made = await scene.teacher.put(path, body(), { 'if-none-match': '*' });
    expect([made.status, made.body.data]).toMatchObject([201, { revision: 1, max_points: 5, min_points: 0 }]);
    const read = await scene.teacher.get(path);
    expect([read.body, etagOf(read)]).toEqual([made.body, etagOf(made)]);
    const same = await scene.teacher.put(path, body({ max_points: 5 }), { 'if-match': etagOf(made) });
    expect(same.status).toBe(200);
    const { questions } = await outlineOf(scene);
    expect(questions.map(({ rubric }) => rubric?.revision ?? null)).toEqual([2, null]);
    expect((await scene.teacher.get(rubricPath(scene, two?.id))).status).toBe(404);
  });

  test('a question of another item and an unknown question are 404', async () => {
    const [scene, other] = [await newOutlineScene(quiz), await newOutlineScene(quiz)];
    for (const id of [other.questions[0]?.id, 2_000_000_000])
      for (const answer of [
        await scene.teacher.get(rubricPath(scene, id)),
        await scene.teacher.put(rubricPath(scene, id), body(), { 'if-none-match': '*' }),
        await scene.teacher.delete(rubricPath(scene, id), { 'if-match': '*' }),
      ])
        expect(answer.status).toBe(404);
  });

  test('a change without a condition is 428, and a change with a stale condition is 412 with the current rubric', async () => {
    const { teacher, rubricAt } = await newScene();
    expect((await teacher.put(rubricAt, body())).status).toBe(428);
    const present = await teacher.get(rubricAt);
    const stale = await teacher.put(rubricAt, body(), { 'if-match': '"old"' });
    expect([stale.status, stale.body.data]).toEqual([412, present.body.data]);
    expect(etagOf(stale)).toBe(etagOf(present));
  });

  test('graders change the rubric of a question unless only teachers may', async () => {
    const scene = await newScene();
    const grader = newGrader(quiz, scene.courseId);
    quiz.peers.graders.add(`${grader.id}/${scene.courseId}`);
    const put = () => grader.put(scene.rubricAt, body(), { 'if-match': '*' });
    await setSettings(quiz, scene, 'graders_edit_rubric = false');
    expect((await put()).status).toBe(403);
    await setSettings(quiz, scene, 'graders_edit_rubric = true');
    expect((await put()).status).toBe(200);
  });
});

describe('a change to the rubric of a question', () => {
  test('a change regrades the answers and their submissions, in history and events, and keeps the grader', async () => {
    const scene = await newScene([[1], [0, 1], []]);
    const items = scene.items.map((item, place) => (place === 1 ? { ...item, points: 2.5 } : item));
    const dry = await scene.change(body({ items }), '?dry_run=1');
    const [first = 0, second = 0, third] = scene.submissionIds;
    const student = expect.stringMatching(/^Ada Student/);
    expect(dry.body.data).toEqual({
      ...{ regraded: 2, min_change: -0.5, max_change: -0.5 },
      changes: [
        { submission_id: first, student_name: student, from: 3, to: 2.5 },
        { submission_id: second, student_name: student, from: 3.1, to: 2.6 },
      ],
    });
    expect(await detailOf(scene, first)).toMatchObject({ grade: 4 });
    expect((await scene.change(body({ items }))).status).toBe(200);
    expect(await detailOf(scene, first)).toMatchObject({
      ...{ grade: 3.5, total_grade: 8, revision: 2, graded_by: { id: 1 } },
      answers: [{ points: 2.5, rubric_revision: 2, graded_by: { id: 1 } }, { points: 1 }],
    });
    expect(await detailOf(scene, third)).toMatchObject({
      ...{ grade: 1, revision: 1, answers: [{ points: 0, rubric_revision: 2, revision: 1 }, { points: 1 }] },
    });
    expect(await answerHistory(quiz, second, scene.one?.id)).toEqual([
      { points: 3.1, reason: 'graded', graded_by: 1 },
      { points: 2.6, reason: 'rubric', graded_by: scene.teacher.id },
    ]);
    expect((await gradedEvents(quiz, second)).map((event) => [event.grade, event.revision])).toEqual([
      [4.1, 1],
      [3.6, 2],
    ]);
  });

  test('a change regrades an answer whose submission is not graded yet', async () => {
    const scene = await newOutlineScene(quiz);
    const [one] = scene.questions;
    const rubric = await makeQuestionRubric(scene.teacher, scene, one?.id, body());
    const selection = [rubric.items[1]?.id];
    await gradeAnswers(quiz, [
      { submissionId: scene.id, questionId: one?.id, points: 3, selection, rubricRevision: 1 },
    ]);
    const items = [{ ...rubric.items[1], points: 4 }];
    const path = rubricPath(scene, one?.id);
    expect((await scene.teacher.put(path, body({ items }), { 'if-match': '*' })).status).toBe(200);
    expect(await detailOf(scene, scene.id)).toMatchObject({
      grade: null,
      answers: [{ points: 4 }, { points: null }],
    });
    expect(await gradedEvents(quiz, scene.id)).toEqual([]);
  });

  test('a change that puts two selected items into one group is 422 and changes nothing', async () => {
    const scene = await newScene([[1], [0, 1]]);
    const items = scene.items.map((item) => ({ ...item, group: 'a', points: 1 }));
    const answer = await scene.change(body({ items }));
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['items']]);
    expect(await detailOf(scene, scene.submissionIds[0])).toMatchObject({ grade: 4 });
  });

  test('deleting a rubric keeps points, and drops selections without a history entry', async () => {
    const scene = await newScene();
    const deleted = await scene.teacher.delete(scene.rubricAt, {
      'if-match': etagOf(await scene.teacher.get(scene.rubricAt)),
    });
    expect(deleted.status).toBe(204);
    expect((await scene.teacher.get(scene.rubricAt)).status).toBe(404);
    expect(await detailOf(scene, scene.id)).toMatchObject({
      ...{ grade: 4, revision: 1 },
      answers: [{ points: 3, selection: [], rubric_revision: null, revision: 1 }, { points: 1 }],
    });
    expect((await answerHistory(quiz, scene.id, scene.one?.id)).length).toBe(1);
  });

  test('a change that waits for a change to the maximum of the question is 412', async () => {
    const scene = await newOutlineScene(quiz);
    const [one] = scene.questions;
    const answer = await changeWhileWaiting({
      ...{ database: quiz.database, schema: 'quiz' },
      lock: `SELECT pg_advisory_xact_lock(hashtext('outline editors'), ${scene.quizId})`,
      send: () => scene.teacher.put(rubricPath(scene, one?.id), body(), { 'if-none-match': '*' }),
      change: `UPDATE questions SET max_points = 6 WHERE id = ${one?.id}`,
    });
    expect(answer.status).toBe(412);
  });
});

describe('export and import', () => {
  const document = { mode: 'subtract', max_points: 5, min_points: 1, items: [{ points: 2.5, text: 'Half' }] };

  test('an export has neither ids nor uses, and can be imported unchanged', async () => {
    const scene = await newOutlineScene(quiz);
    const [one, two] = scene.questions;
    const items = [{ points: 1, text: 'One', explanation: 'Because', group: 'a', key: '1' }];
    await makeQuestionRubric(scene.teacher, scene, one?.id, { mode: 'subtract', min_points: 0.5, items });
    const exported = await scene.teacher.get(`${rubricPath(scene, one?.id)}?format=export`);
    expect(exported.body.data).toEqual({ mode: 'subtract', max_points: 5, min_points: 0.5, items });
    await putOutline(scene.teacher, scene, [one as object, { ...two, max_points: 5 }]);
    const path = `${rubricPath(scene, two?.id)}/import`;
    const imported = await scene.teacher.post(path, exported.body.data, { 'if-none-match': '*' });
    expect([imported.status, imported.body.data]).toMatchObject([
      201,
      { max_points: 5, min_points: 0.5, items },
    ]);
  });

  test('a new maximum scales the points exactly, and is 422 if 4 decimals do not suffice', async () => {
    const scene = await newOutlineScene(quiz, [question('1', 2), question('2', 3)]);
    const [one, two] = scene.questions;
    const post = (
      id: number | undefined,
      given: object,
      headers: Record<string, string> = { 'if-none-match': '*' },
    ) => scene.teacher.post(`${rubricPath(scene, id)}/import`, given, headers);
    expect((await post(one?.id, document, {})).status).toBe(428);
    const imported = await post(one?.id, document);
    expect(imported.body.data).toMatchObject({ max_points: 2, min_points: 0.4, items: [{ points: 1 }] });
    const inexact = await post(two?.id, { ...document, max_points: 7 });
    expect([inexact.status, Object.keys(inexact.body.errors)]).toEqual([422, ['items']]);
    const again = await post(one?.id, document, { 'if-match': etagOf(imported) });
    expect([again.status, again.body.data.revision]).toEqual([200, 2]);
    const dry = await scene.teacher.post(`${rubricPath(scene, one?.id)}/import?dry_run=1`, document, {
      'if-match': '*',
    });
    expect([dry.status, dry.body.data.regraded]).toEqual([200, 0]);
  });

  test('a rubric that has been used for grading is not replaced', async () => {
    const scene = await newScene();
    for (const query of ['', '?dry_run=1']) {
      const answer = await scene.teacher.post(`${scene.rubricAt}/import${query}`, document, {
        'if-match': '*',
      });
      expect([answer.status, answer.body.message]).toEqual([409, 'The rubric is in use']);
    }
    const stale = await scene.teacher.post(`${scene.rubricAt}/import`, document, { 'if-match': '"old"' });
    expect(stale.status).toBe(412);
  });

  test('a rubric is imported from an item or question that the caller teaches', async () => {
    const source = await newScene();
    const target = await newQueue(quiz, 0);
    quiz.peers.teaching.add(`${source.teacher.id}/${target.courseId}`);
    const post = (from: unknown) =>
      source.teacher.post(`${target.path}/rubric/import`, { from }, { 'if-none-match': '*' });
    const invalid = [
      { kind: 'quizzes', item_id: source.quizId },
      { kind: 'quizzes', item_id: source.quizId, question_id: source.two?.id },
      { kind: 'quizzes', item_id: 2_000_000_000 },
      { kind: 'quizzes' },
      'all',
      null,
    ];
    for (const from of invalid) {
      const { status, body } = await post(from);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['from']]);
    }
    const foreign = await newQueue(quiz, 0);
    await makeRubric(newGrader(quiz, foreign.courseId), foreign, body({ max_points: 5 }));
    expect((await post({ kind: 'quizzes', item_id: foreign.quizId })).status).toBe(422);

    const imported = await post({ kind: 'quizzes', item_id: source.quizId, question_id: source.one?.id });
    expect(imported.status).toBe(201);
    expect(imported.body.data).toMatchObject({
      ...{ revision: 1, max_points: 5 },
      items: [
        { text: 'A tenth', points: 0.1, uses: 0 },
        { text: 'Three', points: 3, uses: 0 },
      ],
    });
  });
});
