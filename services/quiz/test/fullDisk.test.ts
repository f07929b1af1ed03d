import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makePdf } from '@gradeway/local/demoPdf';
import { startSlowUpload } from '@gradeway/test/slowUpload';
import { mountSmallDisk, type SmallDisk } from '@gradeway/test/smallDisk';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type QuizService, type Scene, startQuizService } from './quizService.ts';

const megabyte = 1024 * 1024;
const unavailable = { message: 'Service Unavailable', errors: null };

let disk: SmallDisk;
let quiz: QuizService;
let scene: Scene;
let sheet: Buffer;
let filesBefore: number;
beforeAll(async () => {
  sheet = Buffer.from(await makePdf('A scan', { bytes: 5 * megabyte }));
});

const filesOnDisk = async () => {
  const entries = await readdir(disk.directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.name !== 'ballast').length;
};
const fieldsOf = ({ courseId, quizId }: Scene) => ({
  course_id: String(courseId),
  quiz_id: String(quizId),
  duration: '30',
  start_at: new Date().toISOString().slice(0, 19),
});
const start = (bytes?: number) =>
  startSlowUpload({
    url: `${quiz.service.url}/api/v3/quiz/submit-pdf`,
    token: scene.student,
    fields: fieldsOf(scene),
    field: 'file',
    ...(bytes === undefined ? {} : { bytes }),
  });

async function expectNothingLeft(): Promise<void> {
  await waitFor(async () => (await filesOnDisk()) === filesBefore);
  expect(
    await quiz.database.query('SELECT id FROM quiz.submissions WHERE quiz_id = $1', [scene.quizId]),
  ).toEqual([]);
}

describe.each([
  ['the upload directory', (directory: string) => ({ UPLOAD_DIR: join(directory, 'uploads') })],
  ['the file store', (directory: string) => ({ FILES_DIR: join(directory, 'files') })],
])('no space is left for %s (D48)', (_, settings) => {
  beforeAll(async () => {
    disk = mountSmallDisk(24 * megabyte);
    quiz = await startQuizService(settings(disk.directory));
    scene = await quiz.setUp();
  });
  beforeEach(async () => {
    filesBefore = await filesOnDisk();
  });
  afterEach(() => disk.empty());
  afterAll(async () => {
    await quiz.close();
    disk.unmount();
  });

  test('an announced upload gets 503 from a full disk before its body is sent', async () => {
    await disk.fill(4 * megabyte);
    const upload = start(6 * megabyte);
    const { status, headers, body } = await upload.answer;
    upload.abort();
    expect([status, JSON.parse(body)]).toEqual([503, unavailable]);
    expect(headers['retry-after']).toBeTruthy();
    await expectNothingLeft();
    expect((await quiz.get('/api/v3/quiz/pdf-quizzes', quiz.admin)).status).toBe(200);
  });

  test('an upload of unknown size gets 503 when it fills the disk, and leaves nothing behind', async () => {
    await disk.fill(3 * megabyte);
    const upload = start();
    await upload.send(sheet);
    upload.end();
    const { status, headers, body } = await upload.answer;
    expect([status, JSON.parse(body)]).toEqual([503, unavailable]);
    expect(headers['retry-after']).toBeTruthy();
    await expectNothingLeft();
  });

  test('an upload that does not fit on the disk alongside an unfinished one gets 503', async () => {
    await disk.fill(9 * megabyte);
    const first = start(6 * megabyte);
    await first.send(sheet.subarray(0, 1024));
    await waitFor(async () => (await quiz.uploadsInFlight()) === 1);
    const second = start(6 * megabyte);
    expect((await second.answer).status).toBe(503);
    second.abort();
    first.abort();
    await waitFor(async () => (await quiz.uploadsInFlight()) === 0);
    await expectNothingLeft();
  });

  test('uploads succeed once there is space', async () => {
    await disk.fill(4 * megabyte);
    const file = new Blob([new Uint8Array(sheet)]);
    const refused = await quiz.upload(scene, { file });
    expect(refused.status).toBe(503);
    disk.empty();
    const accepted = await quiz.setUp();
    expect((await quiz.upload(accepted, { file })).status).toBe(200);
  });
});
