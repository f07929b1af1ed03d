import { auditEvents } from '@gradeway/test/auditEvents';
import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const about = (object_type: string, id: number) =>
  auditEvents(quiz.database, 'quiz', { object_type, object_id: String(id) });

test('creating, changing and deleting a quiz is audited', async () => {
  const { quizId, courseId } = await quiz.setUp({ title: 'First', file: quiz.pdf });
  const path = `/api/v3/quiz/pdf-quizzes/${quizId}`;
  await quiz.patch(path, { title: 'Second' });
  await quiz.patch(path, { title: 'Second' });
  await quiz.patch(path, { file: quiz.pdf });
  const client = createHttpClient({ baseUrl: quiz.service.url, token: quiz.admin });
  for (const status of [204, 404]) expect((await client.request('DELETE', path)).status).toBe(status);
  const entries = await about('quiz', quizId);
  expect(entries).toMatchObject([
    {
      action: 'quiz.created',
      actor_id: 1,
      actor_role: 'admin',
      address: '127.0.0.1',
      changes: { title: [null, 'First'], course_id: [null, courseId] },
    },
    { action: 'quiz.updated', actor_id: 1, changes: { title: ['First', 'Second'] } },
    { action: 'quiz.updated', changes: { questions_file_id: [expect.any(Number), expect.any(Number)] } },
    { action: 'quiz.deleted', changes: { title: ['Second', null] } },
  ]);
  expect(Object.keys(entries[1]?.changes ?? {})).toEqual(['title']);
});

test('each grading is audited with the grade before and after', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  const { body } = await quiz.get('/api/v3/quiz/submissions', scene.student);
  const { id } = body.data[0];
  const grade = (value: number) =>
    quiz.post(`/api/v3/quiz/pdf-quizzes/grade/${id}`, quiz.admin, { grade: value, total_grade: 20 });
  for (const value of [12.5, 15, 15]) expect((await grade(value)).status).toBe(200);
  expect((await grade(21)).status).toBe(422);
  expect(await about('quiz_submission', id)).toMatchObject([
    { action: 'quiz.graded', actor_id: 1, changes: { grade: [null, 12.5], total_grade: [null, 20] } },
    { action: 'quiz.graded', changes: { grade: [12.5, 15] } },
    { action: 'quiz.graded', changes: null },
  ]);
});
