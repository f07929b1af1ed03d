import { createHttpClient } from '@gradeway/test/httpClient';
import { scrape } from '@gradeway/test/metrics';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { etagOf, type Grader, grade, newGrader, submissionPath } from './graders.ts';
import { setSettings } from './items.ts';
import { gradeAll, gradeAnswer, newQuestionScene, type QuestionScene } from './questionScene.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const text = 'The second step follows from the first.';
const later = '2100-01-01T00:00:00Z';

async function newScene(perSubmission = 3) {
  const scene = await newQuestionScene(quiz);
  const reviews = { until: later, per_submission: perSubmission };
  const changed = await scene.grader.patch(scene.path, { reviews });
  expect([changed.status, changed.body.data.reviews]).toEqual([200, reviews]);
  return scene;
}

const ask = ({ own, ownPath }: QuestionScene, body: object = { text }) =>
  own.post(`${ownPath}/reviews`, body);
const ownReviews = async ({ own, ownPath }: QuestionScene) => (await own.get(`${ownPath}/reviews`)).body.data;
const close = (grader: Grader, { id, tag }: { id: number; tag: string }, answer = 'The points are right.') =>
  grader.put(`/api/v3/grading/quizzes/reviews/${id}`, { state: 'closed', answer }, { 'if-match': tag });
const listed = async ({ grader, path }: QuestionScene, query = '') =>
  (await grader.get(`${path}/reviews${query}`)).body;

const eventsOf = async ({ id }: QuestionScene) =>
  (
    await quiz.database.query<{ type: string; data: Record<string, unknown> }>(
      `SELECT type, body->'data' AS data FROM quiz.outbox
       WHERE type LIKE 'quiz.review.%' AND body->'data'->>'submission_id' = $1::text ORDER BY position`,
      [id],
    )
  ).map(({ type, data }): Record<string, unknown> => ({ type, ...data }));

test('the rule for reviews is validated, covered by the ETag of the item, cleared by null and not copied', async () => {
  const scene = await newScene();
  const { grader, path, courseId } = scene;
  for (const reviews of [
    { until: later },
    { until: later, per_submission: 0 },
    { until: later, per_submission: 21 },
    7,
  ])
    expect((await grader.patch(path, { reviews })).body.errors).toHaveProperty('reviews');
  const seen = await grader.get(path);
  const past = await grader.patch(path, { reviews: { until: '2020-01-01T00:00:00Z', per_submission: 1 } });
  expect([past.status, etagOf(past) === etagOf(seen)]).toEqual([200, false]);
  const copy = await grader.post(`${path}/copy`, { course_id: courseId });
  expect([copy.status, copy.body.data.reviews]).toEqual([201, null]);
  expect((await grader.patch(path, { reviews: null })).body.data.reviews).toBeNull();
});

test('a student asks for a review of a question, and graders receive it as an event, in the list and as a metric', async () => {
  const scene = await newScene();
  const asked = async () =>
    (await scrape(quiz.service.adminUrl)).value('gradeway_reviews_total', { change: 'asked' });
  await gradeAll(scene, [2, 3]);
  const before = await asked();
  const [, questionId] = scene.questionIds;
  const answer = await ask(scene, { question_id: questionId, text });
  const review = {
    ...{ id: expect.any(Number), submission_id: scene.id, question_id: questionId, text, state: 'open' },
    ...{ answer: null, grade_before: 3, grade_after: null, created_at: expect.any(String), closed_at: null },
    tag: expect.any(String),
  };
  expect([answer.status, answer.body]).toEqual([201, { data: review }]);
  expect(etagOf(answer)).toBe(answer.body.data.tag);
  expect(await ownReviews(scene)).toEqual([review]);
  const { data } = await listed(scene);
  expect(data).toEqual([
    { ...review, label: '2b', answered_by: null, student: expect.objectContaining({ id: scene.studentId }) },
  ]);
  expect(await eventsOf(scene)).toEqual([
    {
      ...{
        type: 'quiz.review.opened.v1',
        review_id: answer.body.data.id,
        submission_id: scene.id,
        revision: 1,
      },
      ...{
        quiz_id: scene.quizId,
        course_id: scene.courseId,
        student_id: scene.studentId,
        question_id: questionId,
      },
    },
  ]);
  expect(await asked()).toBe(Number(before) + 1);
});

test('closing a review without a change keeps the points, and never shows 0', async () => {
  const scene = await newScene();
  await gradeAll(scene, [2, 3]);
  const { data } = (await ask(scene, { question_id: scene.questionIds[1], text })).body;
  const closed = await close(scene.grader, data);
  expect([closed.status, closed.body.data]).toMatchObject([
    200,
    {
      ...{ state: 'closed', answer: 'The points are right.', grade_before: 3, grade_after: 3 },
      answered_by: { id: scene.grader.id, name: scene.grader.name },
    },
  ]);
  expect(etagOf(closed)).not.toBe(data.tag);
  const [own] = await ownReviews(scene);
  expect(own).toMatchObject({ state: 'closed', answer: 'The points are right.', grade_after: 3 });
  expect(JSON.stringify(own)).not.toContain(scene.grader.name);
  expect((await scene.own.get(scene.ownPath)).body.data).toMatchObject({
    grade: 5,
    answers: [{ points: 2 }, { points: 3 }],
  });
  const events = await eventsOf(scene);
  expect(events.map(({ type, revision }) => [type, revision])).toEqual([
    ['quiz.review.opened.v1', 1],
    ['quiz.review.closed.v1', 2],
  ]);
});

test('a grading during an open review has the reason review, and the review contains both grades', async () => {
  const scene = await newScene();
  await gradeAll(scene, [2, 3]);
  const { data } = (await ask(scene, { question_id: scene.questionIds[1], text })).body;
  await gradeAnswer(scene, scene.grader, 1, { points: 4.5 });
  await gradeAnswer(scene, scene.grader, 0, { points: 2.5 });
  const reasons = await quiz.database.query(
    `SELECT question_id, reason FROM quiz.answer_gradings WHERE submission_id = $1 ORDER BY id DESC LIMIT 2`,
    [scene.id],
  );
  const [first, second] = scene.questionIds;
  expect(reasons).toEqual([
    { question_id: first, reason: 'graded' },
    { question_id: second, reason: 'review' },
  ]);
  expect((await close(scene.grader, data)).body.data).toMatchObject({ grade_before: 3, grade_after: 4.5 });
});

test('a whole submission without questions is reviewed by an ordinary grading', async () => {
  const scene = await newQuestionScene(quiz, { questions: [] });
  await setSettings(quiz, scene, `reviews = '{"until":"${later}","perSubmission":1}'`);
  await grade(scene.grader, scene.id, { grade: 6 });
  expect((await ask(scene, { question_id: 1, text })).body.errors).toHaveProperty('question_id');
  const { data } = (await ask(scene)).body;
  await grade(scene.grader, scene.id, { grade: 7 });
  const history = (await scene.grader.get(`${submissionPath(scene.id)}/history`)).body.data;
  expect(history.map(({ reason }: { reason: string }) => reason)).toEqual(['review', 'graded']);
  expect((await close(scene.grader, data)).body.data).toMatchObject({
    question_id: null,
    grade_before: 6,
    grade_after: 7,
  });
  await grade(scene.grader, scene.id, { grade: 8 });
  const after = (await scene.grader.get(`${submissionPath(scene.id)}/history`)).body.data;
  expect(after[0].reason).toBe('graded');
});

test('a question with 0 points, and one that graders left unmarked in a released quiz, can be disputed', async () => {
  const scene = await newScene();
  await scene.grader.delete(`${scene.path}/release`);
  await gradeAnswer(scene, scene.grader, 0, { points: 0 });
  const refused = await ask(scene, { question_id: scene.questionIds[1], text });
  expect([refused.status, refused.body.message]).toEqual([403, 'ReviewsClosed']);
  await scene.grader.post(`${scene.path}/release`);
  // The submission has no grade yet, so its points stay hidden.
  for (const question_id of scene.questionIds)
    expect((await ask(scene, { question_id, text })).body.data).toMatchObject({
      question_id,
      grade_before: null,
    });
  const { data } = await listed(scene);
  expect(data.map(({ grade_before }: { grade_before: number | null }) => grade_before)).toEqual([0, null]);
});

test('reviews are possible once the grade is visible, until the deadline of the rule and as often as it allows', async () => {
  const scene = await newScene(2);
  const message = async (body?: object) => {
    const answer = await ask(scene, body);
    return answer.status === 201 ? 201 : `${answer.status} ${answer.body.message}`;
  };
  expect(await message()).toBe('403 ReviewsClosed');
  await gradeAll(scene, [1, 1]);
  const [first, second] = scene.questionIds;
  expect(await message({ question_id: first, text })).toBe(201);
  expect(await message({ question_id: first, text })).toBe('409 A review is open');
  const path = `/api/v3/grading/quizzes/submissions/${scene.id}/reviews`;
  const opened = await scene.grader.post(path, { question_id: second, text });
  expect(opened.status).toBe(201);
  expect((await scene.grader.post(path, { question_id: second, text })).body.message).toBe(
    'A review is open',
  );
  await close(scene.grader, opened.body.data);
  expect(await message({ question_id: second, text })).toBe(201);
  expect(await message()).toBe('409 No reviews left');
  await setSettings(quiz, scene, `reviews = '{"until":"2020-01-01T00:00:00Z","perSubmission":9}'`);
  expect(await message()).toBe('403 ReviewsClosed');
  await setSettings(quiz, scene, 'reviews = NULL');
  expect(await message()).toBe('403 ReviewsClosed');
  // Graders have no window.
  expect((await scene.grader.post(path, { text })).status).toBe(201);
  for (const invalid of [
    {},
    { text: 'too short' },
    { text: 'x'.repeat(2_001) },
    { text, question_id: 999_999 },
  ])
    expect((await ask(scene, invalid)).status).toBe(422);
});

test('a student reads the deadline for reviews and how many are left, or null if reviews are not possible', async () => {
  const scene = await newScene(1);
  const allowance = async () => (await scene.own.get(scene.ownPath)).body.data.reviews;
  expect(await allowance()).toBeNull();
  await gradeAll(scene, [1, 1]);
  expect(await allowance()).toEqual({ until: later, left: 1 });
  const path = `/api/v3/grading/quizzes/submissions/${scene.id}/reviews`;
  await close(scene.grader, (await scene.grader.post(path, { text })).body.data);
  expect(await allowance()).toEqual({ until: later, left: 1 });
  await ask(scene);
  expect(await allowance()).toEqual({ until: later, left: 0 });
  await setSettings(quiz, scene, `reviews = '{"until":"2020-01-01T00:00:00Z","perSubmission":9}'`);
  expect(await allowance()).toBeNull();
});

test('one of several simultaneous requests for a review of the same question succeeds', async () => {
  const scene = await newScene();
  await gradeAll(scene, [1, 1]);
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(scene)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409]);
});

test('a student sees no reviews while grades are hidden, and people without access never see them', async () => {
  const scene = await newScene();
  await gradeAll(scene, [1, 1]);
  await ask(scene);
  await scene.grader.delete(`${scene.path}/release`);
  expect(await ownReviews(scene)).toEqual([]);
  expect((await ask(scene, { text, question_id: scene.questionIds[0] })).body.message).toBe('ReviewsClosed');
  const other = await newQuestionScene(quiz);
  expect((await other.own.get(`${scene.ownPath}/reviews`)).status).toBe(404);
  expect((await other.own.post(`${scene.ownPath}/reviews`, { text })).status).toBe(404);
  expect((await other.grader.get(`${scene.path}/reviews`)).status).toBe(404);
  expect((await other.grader.post(`${scene.path}/reviews/next`)).status).toBe(404);
});

test('a review is closed once, by a grader who has seen its current state', async () => {
  const scene = await newScene();
  await gradeAll(scene, [1, 1]);
  const { data } = (await ask(scene)).body;
  const path = `/api/v3/grading/quizzes/reviews/${data.id}`;
  const body = { state: 'closed', answer: 'Yes.' };
  expect((await scene.grader.put(path, body)).status).toBe(428);
  for (const wrong of [
    { state: 'closed', answer: ' ' },
    { state: 'open', answer: 'x' },
    { state: 'closed', answer: 'x'.repeat(2_001) },
  ])
    expect((await scene.grader.put(path, wrong, { 'if-match': '*' })).status).toBe(422);
  expect((await newGrader(quiz).put(path, body, { 'if-match': '*' })).status).toBe(404);
  expect((await close(scene.grader, data)).status).toBe(200);
  const stale = await close(scene.grader, data);
  expect([stale.status, stale.body]).toMatchObject([
    412,
    { message: 'Changed meanwhile', data: { state: 'closed' } },
  ]);
  const again = await scene.grader.put(path, body, { 'if-match': '*' });
  expect([again.status, again.body.message]).toEqual([409, 'The review is closed']);
});

test('next prefers reviews of gradings by others, repeats a claimed review, and gives no review to two graders', async () => {
  const scene = await newScene();
  const [one, two] = [scene.grader, newGrader(quiz, scene.courseId)];
  await gradeAnswer(scene, one, 0, { points: 1 });
  await gradeAnswer(scene, two, 1, { points: 1 });
  const reviews: number[] = [];
  for (const question_id of scene.questionIds)
    reviews.push((await ask(scene, { question_id, text })).body.data.id);
  const next = async (grader: Grader) => {
    const { status, body, headers } = await grader.post(`${scene.path}/reviews/next`);
    if (status === 200) expect(headers.get('etag')).toBe(body.data.tag);
    return status === 200 ? body.data.id : status;
  };
  expect(await next(one)).toBe(reviews[1]);
  expect(await next(one)).toBe(reviews[1]);
  expect(await next(two)).toBe(reviews[0]);
  expect(await next(newGrader(quiz, scene.courseId))).toBe(204);
  await quiz.database.query('UPDATE quiz.reviews SET claimed_until = now() WHERE claimed_by = $1', [one.id]);
  expect(await next(newGrader(quiz, scene.courseId))).toBe(reviews[1]);
  expect(await next(one)).toBe(204);
});

test('the list has open reviews first, oldest first, and can be filtered', async () => {
  const scene = await newScene();
  await gradeAll(scene, [1, 1]);
  const ids: number[] = [];
  for (const question_id of [scene.questionIds[0], scene.questionIds[1], null]) {
    const { data } = (await ask(scene, { question_id, text })).body;
    ids.push(data.id);
    if (ids.length === 1) await close(scene.grader, data);
  }
  const idsOf = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id);
  expect(idsOf(await listed(scene))).toEqual([ids[1], ids[2], ids[0]]);
  expect(idsOf(await listed(scene, '?state=open&per_page=1&page=2'))).toEqual([ids[2]]);
  expect(idsOf(await listed(scene, '?state=closed'))).toEqual([ids[0]]);
  expect((await scene.grader.get(`${scene.path}/reviews?state=x`)).status).toBe(422);
  expect(
    (await createHttpClient({ baseUrl: quiz.service.url, token: scene.student }).get(`${scene.path}/reviews`))
      .status,
  ).toBe(403);
});
