import { afterEach, beforeEach, expect, test } from 'vitest';
import { newGrader, newQueue, submissionPath } from './graders.ts';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeEach(async () => {
  quiz = await startQuizService();
});
afterEach(() => quiz.close());

test('an upload returns 503 while courses is unreachable, and nothing is stored (D30)', async () => {
  const scene = await quiz.setUp();
  const before = await quiz.storedFiles();
  await quiz.peers.stopCourses();
  const answer = await quiz.upload(scene);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBeTruthy();
  expect(await quiz.storedFiles()).toBe(before);
});

test('an instructor gets 503 while courses is unreachable, and an administrator can grade', async () => {
  const queue = await newQueue(quiz, 1);
  const instructor = newGrader(quiz, queue.courseId);
  await quiz.peers.stopCourses();
  const path = submissionPath(queue.submissionIds[0]);
  const asked = ['/api/v3/grading/quizzes', `${queue.path}/submissions`, path];
  // These run at once, because each response waits for the deadline of a call.
  for (const { status, body, headers } of await Promise.all(asked.map((each) => instructor.get(each)))) {
    expect([status, body.message]).toEqual([503, 'Service Unavailable']);
    expect(headers.get('retry-after')).toBeTruthy();
  }
  const grade = await newGrader(quiz, undefined, 'admin').put(path, { grade: 5 }, { 'if-match': '*' });
  expect(grade.status).toBe(200);
});
