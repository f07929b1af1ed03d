import { createHash } from 'node:crypto';
import { callAs, pdf, send } from '@gradeway/test/api';
import {
  enroll,
  newAssignment,
  newClass,
  newCourse,
  newQuiz,
  newScene,
  newStudent,
  newUser,
  now,
  submitHomework,
  submitQuiz,
} from '@gradeway/test/school';
import { describe, expect, test } from 'vitest';

const dateTime = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

const sha256 = async (file: Blob) =>
  createHash('sha256')
    .update(new Uint8Array(await file.arrayBuffer()))
    .digest('hex');

describe('the receipt of an upload', () => {
  test('attests the answer sheet of a quiz: which file, when, and until when', async () => {
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

  test('attests every file of a homework, and no deadline where there is none', async () => {
    const scene = await newScene();
    const files = [await pdf('one.pdf'), await pdf('two.pdf', { lines: ['more'] })];
    const { headers, body: submitted } = await submitHomework(scene, files);
    const verifier = await newUser('instructor');
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

  test('is signed with a published key, and is no access token', async () => {
    const { headers } = await submitQuiz(await newScene());
    const receipt = headers.get('submission-receipt') ?? '';
    const header = JSON.parse(Buffer.from(receipt.split('.')[0] ?? '', 'base64url').toString());
    const { body } = await send('GET', '/.well-known/jwks.json');
    expect(body.keys.map(({ kid }: { kid: string }) => kid)).toContain(header.kid);
    expect((await callAs(receipt).get('/api/v3/me')).status).toBe(401);
  });

  test('is given for no upload that was refused', async () => {
    const { status, headers } = await submitQuiz(await newScene(), { quiz_id: '2147483647' });
    expect([status, headers.get('submission-receipt')]).toEqual([404, null]);
  });

  test('that was altered, or is something else, is not valid', async () => {
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

test('every answer tells the server’s time, and lists the seconds that are left', async () => {
  const { headers } = await send('GET', '/livez');
  expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.now())).toBeLessThan(5_000);
  const courseId = await newCourse();
  const student = await newStudent();
  await enroll(courseId, student);
  const inAnHour = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  await newQuiz(courseId, { closes_at: inAnHour });
  await newAssignment(await newClass(courseId), { assignment_deadline: inAnHour });
  for (const path of ['/api/v3/quiz/available', '/api/v3/homeworks']) {
    const [item] = (await student.get(path)).body.data;
    expect(item.remaining_seconds).toBeGreaterThan(3_580);
    expect(item.remaining_seconds).toBeLessThanOrEqual(3_600);
  }
});
