import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createHttpClient } from '@gradeway/test/httpClient';
import { type S3Server, startS3Server } from '@gradeway/test/s3Server';
import { type ServiceProcess, startService } from '@gradeway/test/serviceProcess';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, startQuizService } from './quizService.ts';

let s3: S3Server;
let quiz: QuizService;
let replica: ServiceProcess;
beforeAll(async () => {
  s3 = await startS3Server();
  quiz = await startQuizService(s3.env);
  const { database, peers, tokens } = quiz;
  replica = await startService({ service: 'quiz', database, peers, tokens, env: s3.env });
});
afterAll(async () => {
  await replica?.stop();
  await quiz?.close();
  await s3?.remove();
});

const rows = (sql: string, ...values: unknown[]) => quiz.database.query<Record<string, unknown>>(sql, values);
const uploadDirectory = () => readdir(join(quiz.service.directory, 'uploads'));
const fileUrl = async (quizId: number): Promise<string> => {
  const { body } = await quiz.get(`/api/v3/quiz/pdf-quizzes/${quizId}`, quiz.admin);
  return body.data.submissions[0].pdf_answer_url;
};
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const download = (url: string, headers?: Record<string, string>) =>
  createHttpClient({ baseUrl: quiz.service.url }).get(url, headers);

test('a sheet uploaded to one replica can be read from another, in full and in ranges', async () => {
  const scene = await quiz.setUp();
  expect((await quiz.upload(scene)).status).toBe(200);
  await waitFor(async () => (await uploadDirectory()).length === 0);
  const [file] = await rows(
    'SELECT f.* FROM quiz.files f JOIN quiz.submissions s ON s.file_id = f.id WHERE s.quiz_id = $1',
    scene.quizId,
  );
  const url = (await fileUrl(scene.quizId)).replace(quiz.service.url, replica.url);
  expect(url).toContain(replica.url);

  const whole = await download(url);
  expect([whole.status, sha256(whole.body)]).toEqual([200, file?.sha256]);
  const part = await download(url, { range: 'bytes=5-14' });
  expect(part.status).toBe(206);
  expect(part.headers.get('content-range')).toBe(`bytes 5-14/${whole.body.length}`);
  expect(part.body).toEqual(whole.body.subarray(5, 15));
});

test('a refused sheet leaves nothing in the bucket', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  const [submission] = await rows('SELECT id FROM quiz.submissions WHERE quiz_id = $1', scene.quizId);
  const path = `/api/v3/quiz/pdf-quizzes/grade/${submission?.id}`;
  await quiz.post(path, quiz.admin, { grade: 8, total_grade: 10 });
  const before = await s3.keys();
  expect((await quiz.upload(scene)).status).toBe(409);
  await waitFor(async () => (await s3.keys()).length === before.length);
});

test('uploads and downloads return 503 while the bucket is unreachable, leave nothing behind, and lists still work', async () => {
  const scene = await quiz.setUp();
  await quiz.upload(scene);
  const other = await quiz.setUp();
  const url = await fileUrl(scene.quizId);
  const before = await s3.keys();
  await s3.stop();
  try {
    const answer = await quiz.upload(other);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBeTruthy();
    expect(answer.body).toEqual({ message: 'Service Unavailable', errors: null });
    expect((await download(url)).status).toBe(503);
    await waitFor(async () => (await uploadDirectory()).length === 0);
    expect(await rows('SELECT id FROM quiz.submissions WHERE quiz_id = $1', other.quizId)).toEqual([]);
    expect((await quiz.get('/api/v3/quiz/pdf-quizzes', quiz.admin)).status).toBe(200);
    expect((await download('/readyz')).status).toBe(200);
  } finally {
    await s3.start();
  }
  expect((await download(url)).status).toBe(200);
  expect((await quiz.upload(other)).status).toBe(200);
  expect(await s3.keys()).toHaveLength(before.length + 1);
});
