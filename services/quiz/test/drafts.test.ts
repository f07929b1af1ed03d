import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newGrader } from './graders.ts';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const publish = (scene: Scene, published: boolean) =>
  newGrader(quiz, scene.courseId).patch(`/api/v3/grading/quizzes/${scene.quizId}`, { published });
const available = async ({ student }: Scene) => (await quiz.get('/api/v3/quiz/available', student)).body;

test('a student sees drafts in no list or total, and cannot upload to them', async () => {
  const scene = await quiz.setUp({ file: quiz.pdf });
  expect((await available(scene)).meta.total).toBe(1);
  expect((await publish(scene, false)).status).toBe(200);
  expect(await available(scene)).toMatchObject({ data: [], meta: { total: 0 } });
  const answer = await quiz.upload(scene);
  const unknown = await quiz.upload({ ...scene, quizId: 99_999_999 });
  expect([answer.status, answer.body]).toEqual([unknown.status, unknown.body]);
  const listed = (await quiz.get('/api/v3/quiz/pdf-quizzes', quiz.admin)).body.data;
  expect(listed.map(({ id }: { id: number }) => id)).toContain(scene.quizId);
});

test("a student's link to the questions of a draft is 404 until it is published again; a grader's link still opens", async () => {
  const scene = await quiz.setUp({ file: quiz.pdf });
  const [{ questions_pdf_url }] = (await available(scene)).data;
  const grader = newGrader(quiz, scene.courseId);
  const { questions_url } = (await grader.get(`/api/v3/grading/quizzes/${scene.quizId}`)).body.data;
  const { pathname, search } = new URL(questions_pdf_url);
  const client = createHttpClient({ baseUrl: quiz.service.url });
  const statuses = async () => [
    (await client.get(pathname + search)).status,
    (await client.request('HEAD', pathname + search)).status,
  ];
  await publish(scene, false);
  expect(await statuses()).toEqual([404, 404]);
  const staff = new URL(questions_url);
  expect((await client.get(staff.pathname + staff.search)).status).toBe(200);
  await publish(scene, true);
  expect(await statuses()).toEqual([200, 200]);
});

test('a quiz that becomes a draft during the first upload leaves no submission', async () => {
  const scene = await quiz.setUp();
  const answer = await changeWhileWaiting({
    database: quiz.database,
    schema: 'quiz',
    lock: `SELECT FROM quizzes WHERE id = ${scene.quizId} FOR UPDATE`,
    send: () => quiz.upload(scene),
    change: `UPDATE quizzes SET published = false WHERE id = ${scene.quizId}`,
  });
  expect([answer.status, answer.body]).toEqual([404, { message: 'Not Found', errors: null }]);
  const rows = 'SELECT FROM quiz.submissions WHERE quiz_id = $1';
  expect(await quiz.database.query(rows, [scene.quizId])).toEqual([]);
});

test('a quiz with a submission cannot become a draft', async () => {
  const scene = await quiz.setUp();
  expect((await quiz.upload(scene)).status).toBe(200);
  const answer = await publish(scene, false);
  expect([answer.status, answer.body]).toEqual([409, { message: 'Submissions exist', errors: null }]);
  expect((await available(scene)).meta.total).toBe(1);
});
