import { PersonalDataService } from '@gradeway/proto/personal';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { openTransaction } from '@gradeway/test/openTransaction';
import { waitForLock } from '@gradeway/test/waitForLock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService();
});
afterAll(() => quiz.close());

test('an erasure locks the person before their records, like events about the account', async () => {
  const scene = await quiz.setUp();
  expect((await quiz.upload(scene)).status).toBe(200);
  const address = quiz.service.grpcAddress;
  const options = { address, secret: serviceSecret, caller: 'auth', callee: 'quiz' } as const;
  const client = createGrpcStreamClient(PersonalDataService, options);
  const erase = async () => {
    const person = { userId: scene.studentId, keepGrades: true, email: '', sourcedId: '' };
    for await (const _ of client.read('erasePerson', person, { signal: new AbortController().signal }));
  };
  const event = await openTransaction(quiz.database.url('quiz'));
  try {
    await event.query('SELECT FROM people WHERE user_id = $1 FOR UPDATE', [scene.studentId]);
    const erasing = erase();
    await waitForLock(quiz.database);
    const records = 'SELECT FROM submissions WHERE student_id = $1 FOR UPDATE NOWAIT';
    expect((await event.query(records, [scene.studentId])).rowCount).toBe(1);
    await event.query('COMMIT');
    await erasing;
  } finally {
    await event.end();
    client.close();
  }
  expect(await quiz.database.query('SELECT FROM quiz.submissions')).toEqual([]);
});
