import { randomUUID } from 'node:crypto';
import { signReceiptTime } from '@gradeway/shared/http/receiptTime';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;

beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

/** Uploads ten seconds after the quiz has closed, with the header of a gateway that received the upload `seconds` before that. */
async function uploadTooLate({ seconds, key }: { seconds: number; key: string }) {
  const closesAt = Math.floor(Date.now() / 1_000) * 1_000 - 10_000;
  const scene = await quiz.setUp({ closes_at: `${new Date(closesAt).toISOString().slice(0, 19)}Z` });
  const requestId = randomUUID();
  const headers = {
    'x-request-id': requestId,
    'x-received-at': signReceiptTime(closesAt - seconds * 1_000, requestId, key),
  };
  const start_at = new Date(closesAt - 60_000).toISOString().slice(0, 19);
  return { answer: await quiz.upload(scene, { start_at }, headers), quizId: scene.quizId, closesAt };
}

test('an upload that the gateway received before the deadline is on time, however long it waited in the gateway (D25)', async () => {
  const { answer, quizId, closesAt } = await uploadTooLate({ seconds: 1, key: serviceSecret });
  expect(answer.status).toBe(200);
  const submitted = 'SELECT submitted_at FROM quiz.submissions WHERE quiz_id = $1';
  expect(await quiz.database.query(submitted, [quizId])).toEqual([
    { submitted_at: new Date(closesAt - 1_000) },
  ]);
});

test.each([
  ['which the gateway received after the end', { seconds: -1, key: serviceSecret }],
  ['whose time no gateway has signed', { seconds: 1, key: 'the key of another process' }],
])('an upload %s is late', async (_, header) => {
  const { answer } = await uploadTooLate(header);
  expect([answer.status, answer.body.message]).toEqual([403, 'QuizDurationExpired']);
});
