import { createHash } from 'node:crypto';
import { now } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { describe, expect, test } from 'vitest';
import {
  callAs,
  enroll,
  newAssignment,
  newClass,
  newCourse,
  newQuiz,
  newScene,
  newStudent,
  submitHomework,
  submitQuiz,
} from './fixtures.ts';

const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

const sha256 = async (file: Blob) =>
  createHash('sha256')
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest('hex');

describe('receipts of uploads', () => {
  test('a receipt attests the file of an answer sheet, when it was received, and the deadline', async () => {
    const scene = await newScene();
    const file = await pdf('answers.pdf');
    const { headers } = await submitQuiz(scene, { file, start_at: now(), duration: '30' });
    const receipt = headers.get('submission-receipt');
    const { status, body } = await scene.student.post('/api/v3/receipts/verify', { receipt });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      kind: 'quiz',
      submission_id: expect.any(Number),
      student_id: scene.student.id,
      files: [{ sha256: await sha256(file), size: file.size }],
      received_at: dateTime,
      deadline: dateTime,
      issued_at: dateTime,
    });
    expect(body.data.deadline > body.data.received_at).toBe(true);
  });

  test('a receipt attests every file of a homework submission, and no deadline when there is none', async () => {
    const scene = await newScene();
    const files = [await pdf('one.pdf'), await pdf('two.pdf', { lines: ['more'] })];
    const { headers, body: submitted } = await submitHomework(scene, files);
    const verifier = await newStudent({ role: 'instructor' });
    const { body } = await verifier.post('/api/v3/receipts/verify', {
      receipt: headers.get('submission-receipt'),
    });
    expect(body.data).toMatchObject({
      kind: 'homework',
      submission_id: submitted.data.id,
      student_id: scene.student.id,
      files: await Promise.all(files.map(async (file) => ({ sha256: await sha256(file), size: file.size }))),
      deadline: null,
    });
  });

  test('a receipt is signed with a published key and is not accepted as an access token', async () => {
    const { headers } = await submitQuiz(await newScene());
    const receipt = headers.get('submission-receipt') ?? '';
    const header = JSON.parse(Buffer.from(receipt.split('.')[0] ?? '', 'base64url').toString());
    const { body } = await callAs().get('/.well-known/jwks.json');
    expect(body.keys.map(({ kid }: { kid: string }) => kid)).toContain(header.kid);
    expect((await callAs(receipt).get('/api/v3/me')).status).toBe(401);
  });

  test('a refused upload has no receipt', async () => {
    const { status, headers } = await submitQuiz(await newScene(), { quiz_id: '2147483647' });
    expect([status, headers.get('submission-receipt')]).toEqual([404, null]);
  });

  test('an altered receipt and other strings are not valid', async () => {
    const scene = await newScene();
    const receipt = (await submitQuiz(scene)).headers.get('submission-receipt') ?? '';
    const [header, claims = '', signature] = receipt.split('.');
    const altered = JSON.parse(Buffer.from(claims, 'base64url').toString());
    altered.student_id += 1;
    const forged = [header, Buffer.from(JSON.stringify(altered)).toString('base64url'), signature].join('.');
    for (const wrong of [forged, scene.student.token, 'nonsense', `${receipt}x`, '']) {
      const { status, body } = await scene.student.post('/api/v3/receipts/verify', { receipt: wrong });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['receipt']]);
    }
    expect((await callAs().post('/api/v3/receipts/verify', { receipt })).status).toBe(401);
  });
});

test('every response has the server time, and lists have the remaining seconds', async () => {
  const clockSkew = 5_000;
  const startedAt = Date.now();
  const { headers } = await callAs().get('/livez');
  const serverTime = Date.parse(headers.get('date') ?? '');
  expect(serverTime).toBeGreaterThanOrEqual(startedAt - clockSkew);
  expect(serverTime).toBeLessThanOrEqual(Date.now() + clockSkew);
  const courseId = await newCourse();
  const student = await newStudent();
  await enroll(courseId, student);
  const deadline = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  await newQuiz(courseId, { closes_at: deadline });
  await newAssignment(await newClass(courseId), { assignment_deadline: deadline });
  const secondsLeft = (skew: number) => (Date.parse(deadline) - Date.now() + skew) / 1_000;
  for (const path of ['/api/v3/quiz/available', '/api/v3/homeworks']) {
    const atMost = secondsLeft(clockSkew);
    const [item] = (await student.get(path)).body.data;
    expect(item.remaining_seconds).toBeLessThanOrEqual(atMost);
    expect(item.remaining_seconds).toBeGreaterThanOrEqual(secondsLeft(-clockSkew));
  }
});
