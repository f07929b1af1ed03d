import { scrape } from '@gradeway/test/metrics';
import { startSlowUpload } from '@gradeway/test/slowUpload';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeworkService, type Scene, startHomeworkService } from './homeworkService.ts';

const megabyte = 1024 * 1024;
const unpaid = { message: 'PayFirstToAccessTheCourse', errors: null };

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService({
    UPLOADS_PER_USER: '2',
    MAX_UPLOAD_BYTES: String(2 * megabyte),
  });
});
afterAll(() => homework.close());

const start = ({ classId, student }: Scene, bytes?: number) =>
  startSlowUpload({
    url: `${homework.service.url}/api/v3/homeworks/${classId}/submissions`,
    token: student.token,
    field: 'files',
    ...(bytes === undefined ? {} : { bytes }),
  });
const metrics = () => scrape(homework.service.adminUrl);
const unfinished = async () => (await metrics()).value('gradeway_uploads_in_flight');

test('forms that together announce more bytes than one user may upload simultaneously are 429 (D46)', async () => {
  const scene = await homework.setUp();
  const first = start(scene, 3 * megabyte);
  await waitFor(async () => (await unfinished()) === 1);
  const second = start(scene, 2 * megabyte);
  expect((await second.answer).status).toBe(429);
  second.abort();
  expect((await homework.submit(scene.classId, scene.student)).status).toBe(201);
  first.abort();
  await waitFor(async () => (await unfinished()) === 0);
});

test('a form with several large files is received alone (D46)', async () => {
  const scene = await homework.setUp();
  const large = start(scene, 15 * megabyte);
  await waitFor(async () => (await unfinished()) === 1);
  expect((await homework.submit(scene.classId, scene.student)).status).toBe(429);
  const other = await homework.setUp();
  expect((await homework.submit(other.classId, other.student)).status).toBe(201);
  large.abort();
  await waitFor(async () => (await unfinished()) === 0);
});

test('an unpaid upload is refused before its body is sent', async () => {
  const scene = await homework.setUp();
  homework.peers.enrollments.set(`${scene.student.id}/${scene.courseId}`, { paid: false });
  const upload = start(scene, 2 * megabyte);
  await upload.send('%PDF-1.7');
  const { status, body } = await upload.answer;
  expect([status, JSON.parse(body)]).toEqual([403, unpaid]);
  upload.abort();
});

test('the PDFs are parsed only after access and deadline have been checked (D45)', async () => {
  const damaged = { 'a.pdf': new Blob(['%PDF-1.7 not really']) };
  const late = await homework.setUp({ assignment_deadline: '2026-01-01T00:00:00' });
  const debtor = await homework.setUp();
  homework.peers.enrollments.set(`${debtor.student.id}/${debtor.courseId}`, { paid: false });
  const invalid = async () =>
    (await metrics()).value('gradeway_pdf_check_duration_seconds_count', { outcome: 'invalid' });
  const before = await invalid();
  expect((await homework.submit(debtor.classId, debtor.student, damaged)).body).toEqual(unpaid);
  expect((await homework.submit(late.classId, late.student, damaged)).status).toBe(403);
  const noise = { 'a.pdf': new Blob(['no header']) };
  expect((await homework.submit(debtor.classId, debtor.student, noise)).status).toBe(422);
  expect(await invalid()).toBe(before);
  const scene = await homework.setUp();
  expect((await homework.submit(scene.classId, scene.student, damaged)).body.errors).toEqual({
    files: ['The file must be a valid PDF.'],
  });
  expect(await invalid()).toBe((before ?? 0) + 1);
});
