import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

test('an upload answers 503 while courses is unreachable, and nothing is stored (D30)', async () => {
  const scene = await quiz.setUp();
  const before = await quiz.storedFiles();
  await quiz.peers.stopCourses();
  const answer = await quiz.upload(scene);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBeTruthy();
  expect(await quiz.storedFiles()).toBe(before);
});
