import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { scrape } from '@gradeway/test/metrics';
import { type SlowUpload, startSlowUpload } from '@gradeway/test/slowUpload';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

const megabyte = 1024 * 1024;
const [uploadsPerUser, maxUploadBytes] = [3, 2 * megabyte];
const tooMany = { message: 'Too Many Requests', errors: null };
const unpaid = { message: 'PayFirstToAccessTheCourse', errors: null };

let quiz: QuizService;
beforeAll(async () => {
  quiz = await startQuizService({
    UPLOADS_PER_USER: String(uploadsPerUser),
    MAX_UPLOAD_BYTES: String(maxUploadBytes),
  });
});
afterAll(() => quiz.close());

const path = '/api/v3/quiz/submit-pdf';

function start(scene: Scene, options: { fields?: Record<string, string>; bytes?: number } = {}): SlowUpload {
  const fields = { course_id: String(scene.courseId), quiz_id: String(scene.quizId) };
  return startSlowUpload({
    url: quiz.service.url + path,
    token: scene.student,
    field: 'file',
    fields,
    bytes: maxUploadBytes,
    ...options,
  });
}

async function arrivingBytes(): Promise<number> {
  const directory = join(quiz.service.directory, 'uploads');
  const sizes = await Promise.all(
    (await readdir(directory)).map(
      async (name) => (await stat(join(directory, name)).catch(() => null))?.size ?? 0,
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const checkedPdfs = async () => {
  const metrics = await scrape(quiz.service.adminUrl);
  const outcomes = ['valid', 'invalid', 'encrypted', 'timeout', 'out_of_memory', 'failed'];
  return outcomes.map((outcome) => metrics.value('gradeway_pdf_check_duration_seconds_count', { outcome }));
};

const unpaidScene = async () => {
  const scene = await quiz.setUp();
  quiz.peers.enrollments.set(`${scene.studentId}/${scene.courseId}`, { paid: false });
  return scene;
};

test('a user has at most UPLOADS_PER_USER unfinished uploads, and other users are not affected (D46)', async () => {
  const scene = await quiz.setUp();
  const uploads = Array.from({ length: uploadsPerUser }, () => start(scene));
  await waitFor(async () => (await quiz.uploadsInFlight()) === uploadsPerUser);
  const { status, headers, body } = await start(scene).answer;
  expect([status, JSON.parse(body)]).toEqual([429, tooMany]);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await quiz.upload(await quiz.setUp())).status).toBe(200);
  uploads[0]?.abort();
  await waitFor(async () => (await quiz.upload(scene)).status === 200);
  for (const upload of uploads) upload.abort();
  await waitFor(async () => (await quiz.uploadsInFlight()) === 0);
});

test('unfinished uploads of a user hold at most UPLOADS_PER_USER × MAX_UPLOAD_BYTES of disk', async () => {
  const scene = await quiz.setUp();
  const part = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1_900_000, 'x')]);
  const uploads = Array.from({ length: 12 }, () => start(scene));
  const statuses: number[] = [];
  for (const upload of uploads) {
    upload.answer.then(({ status }) => statuses.push(status)).catch(() => {});
    void upload.send(part);
  }
  await waitFor(() => statuses.length === 12 - uploadsPerUser);
  await waitFor(async () => (await arrivingBytes()) === uploadsPerUser * part.length);
  expect(new Set(statuses)).toEqual(new Set([429]));
  for (const upload of uploads) upload.abort();
  await waitFor(async () => (await arrivingBytes()) === 0);
});

test('a file without a PDF header takes no disk space', async () => {
  const scene = await quiz.setUp();
  const upload = start(scene);
  await upload.send(Buffer.alloc(1_900_000, 'x'));
  const received = async () => (await quiz.uploadsInFlight()) === 1;
  await waitFor(received);
  expect(await arrivingBytes()).toBe(0);
  upload.abort();
  const answer = await quiz.upload(scene, { file: new Blob([Buffer.alloc(1_900_000, 'x')]) });
  expect([answer.status, answer.body.errors]).toEqual([422, { file: ['The file must be a valid PDF.'] }]);
});

test('an unpaid upload is refused before its body is sent if course_id and quiz_id precede the file', async () => {
  const scene = await unpaidScene();
  const upload = start(scene);
  await upload.send('%PDF-1.7');
  const { status, body } = await upload.answer;
  expect([status, JSON.parse(body)]).toEqual([403, unpaid]);
  expect(await arrivingBytes()).toBe(0);
  upload.abort();
  const unknown = start(scene, { fields: { course_id: '99999', quiz_id: '99999' } });
  await unknown.send('%PDF-1.7');
  expect((await unknown.answer).status).toBe(404);
  unknown.abort();
  await waitFor(async () => (await quiz.uploadsInFlight()) === 0);
});

test('an upload whose file precedes its fields is accepted or refused after its body', async () => {
  const scene = await quiz.setUp();
  const padded = new Blob([Buffer.from(await quiz.pdf.arrayBuffer()), Buffer.alloc(1_500_000, '\n')]);
  expect((await quiz.upload(scene, { file: padded })).status).toBe(200);
  const debtor = await unpaidScene();
  expect((await quiz.upload(debtor, { file: padded })).body).toEqual(unpaid);
});

test('the PDF is parsed only after access and the submission window have been checked (D45)', async () => {
  const damaged = { file: new Blob(['%PDF-1.7 not really']) };
  const [scene, debtor] = [await quiz.setUp(), await unpaidScene()];
  const before = await checkedPdfs();
  expect((await quiz.upload(debtor, damaged)).body).toEqual(unpaid);
  expect((await quiz.upload(scene, { ...damaged, course_id: '99999' })).status).toBe(404);
  expect((await quiz.upload(scene, { ...damaged, start_at: '2026-01-01T00:00:00' })).body.message).toBe(
    'QuizDurationExpired',
  );
  expect((await quiz.upload(scene, { ...damaged, duration: undefined })).body.errors).toEqual({
    duration: ['The duration field is required.'],
  });
  // Cheap checks precede the access check.
  expect((await quiz.upload(debtor, { file: new Blob(['no header']) })).status).toBe(422);
  expect((await quiz.upload(debtor, { duration: '0' })).status).toBe(422);
  expect(await checkedPdfs()).toEqual(before);
  expect((await quiz.upload(scene, damaged)).body.errors).toEqual({
    file: ['The file must be a valid PDF.'],
  });
  expect(await checkedPdfs()).not.toEqual(before);
});
