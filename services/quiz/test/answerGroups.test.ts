import { afterAll, beforeAll, expect, test } from 'vitest';
import { etagOf, gradedEvents, newGrader, newQueue, submissionPath } from './graders.ts';
import { addQuestions, newQuestionScene, twoQuestions } from './questionScene.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const insert = `
  WITH numbers AS (SELECT generate_series(1, $3::integer) AS number)
  INSERT INTO quiz.submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at)
  SELECT $1, $2, 20000000 + $1 * 10000 + number, now(), 30, now() + number * interval '1 second' FROM numbers
  ORDER BY number RETURNING id`;

async function newScene(count: number, questions = twoQuestions) {
  const queue = await newQueue(quiz, 0);
  const { questionIds, itemIds } = await addQuestions(quiz, queue.quizId, questions);
  const rows = await quiz.database.query<{ id: number }>(insert, [queue.quizId, queue.courseId, count]);
  const ids = rows.map(({ id }) => id).toSorted((one, other) => one - other);
  const grader = newGrader(quiz, queue.courseId);
  const groupsOf = (index: number) => `${queue.path}/questions/${questionIds[index]}/groups`;
  const groups = groupsOf(0);
  const newGroup = async (title: string, submissionIds: number[], index = 0) => {
    const answer = await grader.post(groupsOf(index), { title, submission_ids: submissionIds });
    expect(answer.status).toBe(201);
    return answer.body.data as { id: number };
  };
  const membersOf = async (id: number) => (await grader.get(`${groups}/${id}`)).body.data.submission_ids;
  const gradeGroup = (id: number, body: object, index = 0) =>
    grader.put(`${groupsOf(index)}/${id}/grading`, body, { 'if-match': '*' });
  const answersOf = async (id: number | undefined) =>
    (await grader.get(submissionPath(id))).body.data.answers;
  return { ...queue, questionIds, itemIds, ids, grader, groups, newGroup, membersOf, gradeGroup, answersOf };
}

test('an answer is in at most one group: adding it to another moves it', async () => {
  const { ids, grader, groups, newGroup, membersOf, answersOf } = await newScene(3);
  const [first, second, third] = ids as [number, number, number];
  const one = await newGroup('Sign error', [first, second]);
  const other = await newGroup('Right', [second, third]);
  expect([await membersOf(one.id), await membersOf(other.id)]).toEqual([[first], [second, third]]);
  const changed = await grader.patch(`${groups}/${one.id}`, {
    title: 'Signs',
    add: [third],
    remove: [first],
  });
  const data = { id: one.id, question_id: expect.any(Number), title: 'Signs', size: 1, graded: 0 };
  expect([changed.status, changed.body.data]).toEqual([200, data]);
  expect((await grader.get(groups)).body).toMatchObject({ data: [data, { size: 1 }], meta: { total: 2 } });
  expect((await answersOf(third))[0].group_id).toBe(one.id);
  expect((await grader.delete(`${groups}/${one.id}`)).status).toBe(204);
  expect((await answersOf(third))[0].group_id).toBeNull();
  expect((await grader.get(`${groups}/${one.id}`)).status).toBe(404);
});

test('missing, too many or duplicate answers are invalid, and a question of another item is not found', async () => {
  const [scene, other] = [await newScene(1), await newScene(1)];
  const post = (body: object) => scene.grader.post(scene.groups, body);
  for (const submission_ids of [[other.ids[0]], [0], 'x', [scene.ids[0], scene.ids[0]]]) {
    const { status, body } = await post({ title: 'x', submission_ids });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['submission_ids']]);
  }
  expect((await post({ title: ' ', submission_ids: [] })).body.errors).toHaveProperty('title');
  const foreign = `${scene.path}/questions/${other.questionIds[0]}/groups`;
  expect((await scene.grader.get(foreign)).status).toBe(404);
  expect((await other.grader.get(scene.groups)).status).toBe(404);
});

test('a group is graded in one request, each answer has its own history, and complete submissions get their grades', async () => {
  const { ids, questionIds, itemIds, newGroup, gradeGroup, answersOf } = await newScene(3);
  const [first, second, third] = ids as [number, number, number];
  const one = await newGroup('One', [first, second]);
  const graded = await gradeGroup(one.id, { points: 2.5, comment: 'Nearly' });
  expect([graded.status, graded.body]).toEqual([200, { data: { graded: 2, skipped: 0 } }]);
  const other = await newGroup('Two', ids, 1);
  const selection = { selection: [itemIds[1]?.[0]], rubric_revision: 1 };
  expect((await gradeGroup(other.id, selection, 1)).body.data).toEqual({ graded: 3, skipped: 0 });
  expect(await answersOf(first)).toMatchObject([{ points: 2.5, comment: 'Nearly' }, { points: 5.5 }]);
  expect(await answersOf(third)).toMatchObject([{ points: null }, { points: 5.5 }]);
  const events = await Promise.all(ids.map((id) => gradedEvents(quiz, id)));
  expect(events.map((each) => each.map(({ grade }) => grade))).toEqual([[8], [8], []]);
  const history = await quiz.database.query(
    'SELECT submission_id, points::float8 AS points, reason FROM quiz.answer_gradings WHERE question_id = $1 ORDER BY id',
    [questionIds[0]],
  );
  expect(history).toEqual(
    [first, second].map((id) => ({ submission_id: id, points: 2.5, reason: 'graded' })),
  );
  // Graded members are graded again.
  expect((await gradeGroup(one.id, { points: 1 })).body.data.graded).toBe(2);
});

test('grading a group skips the answers that another grader has claimed', async () => {
  const { ids, quizId, questionIds, grader, courseId, newGroup, gradeGroup, answersOf } = await newScene(3);
  const [colleague, group] = [newGrader(quiz, courseId), await newGroup('One', ids)];
  const claim = `
    INSERT INTO quiz.answer_claims (submission_id, question_id, item_id, user_id, claimed_until)
    VALUES ($1, $2, $3, $4, now() + $5 * interval '1 minute')`;
  for (const [index, userId, minutes] of [
    [0, colleague.id, 1],
    [1, colleague.id, -1],
    [2, grader.id, 1],
  ] as const)
    await quiz.database.query(claim, [ids[index], questionIds[0], quizId, userId, minutes]);
  expect((await gradeGroup(group.id, { points: 4 })).body.data).toEqual({ graded: 2, skipped: 1 });
  expect((await answersOf(ids[0]))[0].points).toBeNull();
});

test('grading a group needs If-Match, and takes effect for all of its answers or for none', async () => {
  const { ids, itemIds, grader, groups, newGroup, gradeGroup, answersOf } = await newScene(2);
  const group = await newGroup('One', ids);
  const path = `${groups}/${group.id}/grading`;
  expect((await grader.put(path, { points: 1 })).status).toBe(428);
  const stale = await grader.put(path, { points: 1 }, { 'if-match': '"x"' });
  expect([stale.status, stale.body]).toMatchObject([
    412,
    { message: 'Changed meanwhile', data: { size: 2 } },
  ]);
  for (const body of [{ points: 4.5 }, { points: -1 }, { selection: [1], rubric_revision: 1 }, {}])
    expect((await gradeGroup(group.id, body)).status).toBe(422);
  const other = await newGroup('Two', ids, 1);
  const old = { selection: [itemIds[1]?.[0]], rubric_revision: 7 };
  expect((await gradeGroup(other.id, old, 1)).body).toMatchObject({ message: 'Changed meanwhile' });
  for (const id of ids) expect(await answersOf(id)).toMatchObject([{ points: null }, { points: null }]);
});

test('a new sheet leaves its group, so that grading the group does not affect it', async () => {
  const { ids, newGroup, membersOf, gradeGroup, answersOf } = await newScene(2);
  const group = await newGroup('One', ids);
  await quiz.database.query(
    "UPDATE quiz.submissions SET submitted_at = now() + interval '1 day' WHERE id = $1",
    [ids[0]],
  );
  expect(await membersOf(group.id)).toEqual([ids[1]]);
  expect((await gradeGroup(group.id, { points: 1 })).body.data).toEqual({ graded: 1, skipped: 0 });
  expect((await answersOf(ids[0]))[0]).toMatchObject({ points: null, group_id: null });
});

test('a group made for earlier sheets does not grade resubmitted sheets', async () => {
  const scene = await newQuestionScene(quiz);
  const groups = `${scene.path}/questions/${scene.questionIds[0]}/groups`;
  const made = await scene.grader.post(groups, { title: 'One', submission_ids: [scene.id] });
  expect(made.status).toBe(201);
  const group = `${groups}/${made.body.data.id}`;
  const grade = async (points: number) =>
    (await scene.grader.put(`${group}/grading`, { points }, { 'if-match': '*' })).body.data;
  const answer = async () => (await scene.grader.get(submissionPath(scene.id))).body.data.answers[0];
  expect(await grade(1)).toEqual({ graded: 1, skipped: 0 });
  expect((await quiz.upload(scene)).status).toBe(200);
  expect(await answer()).toMatchObject({ points: null, group_id: null });
  expect((await scene.grader.get(group)).body.data.submission_ids).toEqual([]);
  expect(await grade(2)).toEqual({ graded: 0, skipped: 0 });
  expect(await answer()).toMatchObject({ state: 'ungraded', points: null });
});

test('a group of 5,000 answers is graded in one request', async () => {
  const { ids, newGroup, gradeGroup, grader, groups, questionIds } = await newScene(5_000);
  const group = await newGroup('All', ids);
  const started = performance.now();
  expect((await gradeGroup(group.id, { points: 3 })).body.data).toEqual({ graded: 5_000, skipped: 0 });
  console.info(`5,000 answers in ${Math.round(performance.now() - started)} ms`);
  expect((await grader.get(`${groups}/${group.id}`)).body.data).toMatchObject({ size: 5_000, graded: 5_000 });
  const counted = await quiz.database.query(
    'SELECT count(*)::int AS n FROM quiz.answer_gradings WHERE question_id = $1',
    [questionIds[0]],
  );
  expect(counted).toEqual([{ n: 5_000 }]);
  expect(etagOf(await grader.get(submissionPath(ids[0])))).not.toBe('');
});
