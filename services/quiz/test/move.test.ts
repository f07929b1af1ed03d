import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

const change = ({ quizId }: Scene, fields: Record<string, string>) =>
  quiz.patch(`/api/v3/quiz/pdf-quizzes/${quizId}`, fields);
const courseOf = async ({ quizId }: Scene) => {
  const sql = 'SELECT course_id FROM quiz.quizzes WHERE id = $1';
  return (await quiz.database.query<{ course_id: number }>(sql, [quizId]))[0]?.course_id;
};
const submissions = ({ quizId }: Scene) =>
  quiz.database.query('SELECT course_id FROM quiz.submissions WHERE quiz_id = $1', [quizId]);

test('a quiz that has submissions cannot move to another course (D58)', async () => {
  const [scene, other] = [await quiz.setUp(), await quiz.setUp()];
  expect((await quiz.upload(scene)).status).toBe(200);
  const answer = await change(scene, { course_id: String(other.courseId), title: 'Moved' });
  expect([answer.status, answer.body]).toEqual([409, { message: 'Submissions exist', errors: null }]);
  expect(await courseOf(scene)).toBe(scene.courseId);
  const stays = await change(scene, { course_id: String(scene.courseId), title: 'Renamed' });
  expect([stays.status, stays.body.data.title]).toEqual([200, 'Renamed']);
});

test('a quiz without submissions moves', async () => {
  const [scene, other] = [await quiz.setUp(), await quiz.setUp()];
  expect((await change(scene, { course_id: String(other.courseId) })).status).toBe(200);
  expect(await courseOf(scene)).toBe(other.courseId);
});

test('an upload while its quiz moves is 404, because its student may not be enrolled in the other course', async () => {
  const [scene, other] = [await quiz.setUp(), await quiz.setUp()];
  const before = await quiz.storedFiles();
  const answer = await changeWhileWaiting({
    database: quiz.database,
    schema: 'quiz',
    lock: `SELECT FROM quizzes WHERE id = ${scene.quizId} FOR UPDATE`,
    send: () => quiz.upload(scene),
    change: `UPDATE quizzes SET course_id = ${other.courseId} WHERE id = ${scene.quizId}`,
  });
  expect([answer.status, answer.body]).toEqual([404, { message: 'Not Found', errors: null }]);
  expect(await submissions(scene)).toEqual([]);
  expect(await quiz.storedFiles()).toBe(before);
});

test('moving a quiz during its first upload is 409', async () => {
  const [scene, other] = [await quiz.setUp(), await quiz.setUp()];
  const answer = await changeWhileWaiting({
    database: quiz.database,
    schema: 'quiz',
    lock: `INSERT INTO submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at)
      VALUES (${scene.quizId}, ${scene.courseId}, ${scene.studentId}, now(), 1, now())`,
    send: () => change(scene, { course_id: String(other.courseId) }),
    change: 'SELECT',
  });
  expect(answer.status).toBe(409);
  expect(await courseOf(scene)).toBe(scene.courseId);
});
