import { createHttpClient, type HttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
let teacher: HttpClient;
beforeAll(async () => {
  homework = await startHomeworkService();
  teacher = createHttpClient({ baseUrl: homework.service.url, token: homework.admin });
  const account = { firstName: 'Grace', lastName: 'Hopper', email: '' };
  homework.peers.users.push({ userId: 1, ...account, role: 'admin', isBlocked: false, revision: 1 });
});
afterAll(() => homework.close());

const text = 'The second step follows from the first.';

/** Homework with two questions, worth 3 and 5 points, and files for it. */
async function newScene() {
  const scene = await homework.setUp();
  await homework.rows('INSERT INTO homework.outlines (item_id, revision) VALUES ($1, 1)', scene.classId);
  const questions = await homework.rows<{ id: number }>(
    `INSERT INTO homework.questions (item_id, place, label, max_points) VALUES ($1, 1, '1', 3), ($1, 2, '2', 5) RETURNING id`,
    scene.classId,
  );
  const { id } = await homework.submitted(scene.classId, scene.student, ['one.pdf', 'two.pdf']);
  const path = `/api/v3/grading/homeworks/${scene.classId}`;
  const own = createHttpClient({ baseUrl: homework.service.url, token: scene.student.token });
  return {
    ...scene,
    id,
    path,
    own,
    ownPath: `/api/v3/homeworks/submissions/${id}`,
    questionIds: questions.map((each) => each.id),
  };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

async function gradeAnswer({ path, id, questionIds }: Scene, index: number, points: number) {
  const groups = `${path}/questions/${questionIds[index]}/groups`;
  const { body } = await teacher.post(groups, { title: 'Group', submission_ids: [id] });
  const graded = await teacher.put(`${groups}/${body.data.id}/grading`, { points }, { 'if-match': '*' });
  expect(graded.body.data).toEqual({ graded: 1, skipped: 0 });
}

test('a homework student sees the answers, and the rating computed from their points', async () => {
  const scene = await newScene();
  await gradeAnswer(scene, 0, 2);
  const comment = await teacher.put(
    `/api/v3/grading/homeworks/submissions/${scene.id}`,
    { comment: 'So far' },
    { 'if-match': '*' },
  );
  expect(comment.status).toBe(200);
  const listed = async () => (await scene.own.get('/api/v3/homeworks')).body.data[0];
  const view = async () => (await scene.own.get(scene.ownPath)).body.data;
  expect(await view()).toMatchObject({
    rating: null,
    instructor_comment: null,
    comment: null,
    answers: null,
  });
  expect((await listed()).submission).toMatchObject({ rating: null, instructor_comment: null });
  await gradeAnswer(scene, 1, 5);
  // 10 × 7 ÷ 8, rounded half up.
  expect(await view()).toMatchObject({
    ...{ rating: 9, total_grade: 10, comment: 'So far', rubric: null },
    answers: [
      { points: 2, max_points: 3 },
      { points: 5, max_points: 5 },
    ],
  });
  const [first, second] = scene.questionIds;
  expect((await listed()).questions).toEqual([
    { id: first, label: '1', title: null, max_points: 3 },
    { id: second, label: '2', title: null, max_points: 5 },
  ]);
});

test('with several files, a page must name its file, and pages can change until 15 minutes after the deadline', async () => {
  const scene = await newScene();
  const { files } = (await scene.own.get(scene.ownPath)).body.data;
  expect(files).toMatchObject([
    { name: 'one.pdf', pages: 1, url: expect.any(String) },
    { name: 'two.pdf', pages: 1 },
  ]);
  const [question_id] = scene.questionIds;
  const put = (page: object) =>
    scene.own.put(`${scene.ownPath}/pages`, { pages: [{ question_id, ...page }] });
  expect((await put({ page: 1 })).status).toBe(422);
  expect((await put({ file_id: files[1].id, page: 1 })).status).toBe(200);
  const deadline = (minutes: number) =>
    homework.rows(
      "UPDATE homework.assignments SET deadline = now() - $2 * interval '1 minute' WHERE class_id = $1",
      scene.classId,
      minutes,
    );
  await deadline(14);
  expect((await put({ file_id: files[0].id, page: 1 })).status).toBe(200);
  await deadline(16);
  const late = await put({ file_id: files[1].id, page: 1 });
  expect([late.status, late.body.message]).toEqual([403, 'HomeworkDeadlineExpired']);
  const { pages } = (await scene.own.get(scene.ownPath)).body.data;
  expect(pages).toEqual([{ question_id, file_id: files[0].id, page: 1 }]);
  const other = await newScene();
  const foreign = await other.own.put(`${scene.ownPath}/pages`, { pages: [] });
  expect([foreign.status, foreign.body.message]).toEqual([404, 'PDF Homework not found']);
});

test('a review of homework publishes its events, and its grading has the reason review', async () => {
  const scene = await newScene();
  const reviews = { until: '2100-01-01T00:00:00Z', per_submission: 1 };
  expect((await teacher.patch(scene.path, { reviews })).body.data.reviews).toEqual(reviews);
  await gradeAnswer(scene, 0, 2);
  await gradeAnswer(scene, 1, 5);
  const [, question_id] = scene.questionIds;
  const asked = await scene.own.post(`${scene.ownPath}/reviews`, { question_id, text });
  expect([asked.status, asked.body.data]).toMatchObject([201, { grade_before: 5 }]);
  expect((await scene.own.post(`${scene.ownPath}/reviews`, { text })).body.message).toBe('No reviews left');
  const next = await teacher.post(`${scene.path}/reviews/next`);
  await gradeAnswer(scene, 1, 4);
  const body = { state: 'closed', answer: 'You are right.' };
  const closed = await teacher.put(`/api/v3/grading/homeworks/reviews/${next.body.data.id}`, body, {
    'if-match': next.body.data.tag,
  });
  expect(closed.body.data).toMatchObject({ grade_before: 5, grade_after: 4, answer: 'You are right.' });
  const events = await homework.rows<{ type: string; data: object }>(
    `SELECT type, body->'data' AS data FROM homework.outbox WHERE type LIKE 'homework.review.%' ORDER BY position DESC LIMIT 2`,
  );
  const ids = {
    submission_id: scene.id,
    class_id: scene.classId,
    course_id: scene.courseId,
    student_id: scene.student.id,
  };
  expect(events.toReversed()).toEqual([
    {
      type: 'homework.review.opened.v1',
      data: { ...ids, review_id: asked.body.data.id, question_id, revision: 1 },
    },
    {
      type: 'homework.review.closed.v1',
      data: { ...ids, review_id: asked.body.data.id, question_id, revision: 2 },
    },
  ]);
  const history = await homework.rows(
    'SELECT reason FROM homework.answer_gradings WHERE submission_id = $1 ORDER BY id',
    scene.id,
  );
  expect(history).toEqual([{ reason: 'graded' }, { reason: 'graded' }, { reason: 'review' }]);
});
