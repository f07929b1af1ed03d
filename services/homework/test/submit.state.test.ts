import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService({ MAX_UPLOAD_BYTES: '100000', REPLACED_FILES_KEPT: '3' });
});
afterAll(() => homework.close());

const submissionsOf = (classId: number) =>
  homework.rows<{ id: number; student_id: number; submitted_at: Date }>(
    'SELECT * FROM homework.submissions WHERE class_id = $1',
    classId,
  );
const replacedOf = (id: number) =>
  homework.rows<{ file_id: number }>(
    'SELECT file_id FROM homework.submission_files WHERE submission_id = $1 AND replaced_at IS NOT NULL',
    id,
  );
const submittedEvents = async (id: number) => {
  const events = await homework.rows<{ data: object }>(
    `SELECT body->'data' AS data FROM homework.outbox
     WHERE type = 'homework.submission.submitted.v1' AND body->'data'->>'submission_id' = $1`,
    String(id),
  );
  return events.map(({ data }) => data);
};

test('an upload creates an unreviewed submission and its event', async () => {
  const { classId, courseId, student } = await homework.setUp();
  const { id } = await homework.submitted(classId, student);
  expect(await submissionsOf(classId)).toMatchObject([
    { id, student_id: student.id, rating: null, comment: null, revision: 0 },
  ]);
  expect(await submittedEvents(id)).toEqual([
    {
      ...{ submission_id: id, class_id: classId, course_id: courseId, student_id: student.id },
      ...{ submitted_at: expect.stringMatching(/Z$/), late_waived: false, state_revision: 1 },
    },
  ]);
});

test('a later upload replaces the files of the submission, and the earlier ones are stored as replaced', async () => {
  const { classId, student } = await homework.setUp();
  const first = await homework.submitted(classId, student, ['a.pdf', 'b.pdf']);
  const second = await homework.submitted(classId, student, ['c.pdf']);
  expect(second.id).toBe(first.id);
  expect(second.files.map(({ name }) => name)).toEqual(['c.pdf']);
  expect((await homework.homework(classId)).submissions).toEqual([second]);
  const replaced = (await replacedOf(first.id)).map(({ file_id }) => file_id);
  expect(replaced.toSorted((a, b) => a - b)).toEqual(first.files.map(({ id }) => id));
  expect(await submittedEvents(first.id)).toHaveLength(2);
});

test('simultaneous uploads create one submission, and none of their files is lost', async () => {
  const { classId, student } = await homework.setUp();
  const answers = await Promise.all(
    ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => homework.submit(classId, student, { [name]: homework.pdf })),
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
  const [submission, ...others] = await submissionsOf(classId);
  expect(others).toEqual([]);
  expect(await replacedOf(submission?.id ?? 0)).toHaveLength(2);
  expect((await homework.homework(classId)).submissions[0]?.files).toHaveLength(1);
});

test('the files whose upload started last are the current ones, even if an earlier upload took longer', async () => {
  const { classId, student } = await homework.setUp();
  const first = await homework.submitted(classId, student, ['earlier.pdf']);
  const later = new Date(Date.now() + 60_000);
  await homework.rows('UPDATE homework.submissions SET submitted_at = $1 WHERE id = $2', later, first.id);
  const answer = await homework.submitted(classId, student, ['slow.pdf']);
  expect(answer.files.map(({ name }) => name)).toEqual(['earlier.pdf']);
  expect(await replacedOf(first.id)).toHaveLength(1);
  expect(await submittedEvents(first.id)).toHaveLength(1);
});

test('only the newest replaced files keep their bytes, and older ones keep their rows (D49)', async () => {
  const { classId, student } = await homework.setUp();
  const before = await homework.storedFiles();
  for (const upload of ['1', '2', '3'])
    await homework.submitted(classId, student, [`a${upload}.pdf`, `b${upload}.pdf`]);
  const replaced = await homework.rows(
    `SELECT f.name, f.reduced_at IS NOT NULL AS reduced
     FROM homework.submission_files sf JOIN homework.files f ON f.id = sf.file_id
     JOIN homework.submissions s ON s.id = sf.submission_id
     WHERE s.class_id = $1 AND sf.replaced_at IS NOT NULL ORDER BY f.id`,
    classId,
  );
  expect(replaced).toEqual([
    { name: 'a1.pdf', reduced: true },
    { name: 'b1.pdf', reduced: false },
    { name: 'a2.pdf', reduced: false },
    { name: 'b2.pdf', reduced: false },
  ]);
  // Two current files and three replaced files.
  await waitFor(async () => (await homework.storedFiles()) === before + 5);
});

test('a reviewed submission accepts no further files, and refused ones leave nothing behind', async () => {
  const { classId, student } = await homework.setUp();
  const { id } = await homework.submitted(classId, student);
  expect((await homework.grade(id, { rating: 7 })).status).toBe(200);
  const before = await homework.storedFiles();
  expect((await homework.submit(classId, student)).status).toBe(409);
  await waitFor(async () => (await homework.storedFiles()) === before);
  expect(await homework.rows('SELECT id FROM homework.files WHERE attached_at IS NULL')).toEqual([]);
});

test.each<[string, Record<string, Blob>, object, number]>([
  ['a file that is not a PDF', { 'a.pdf': new Blob(['%PDF-1.7 not really']) }, {}, 422],
  ['a file over the limit', { 'a.pdf': new Blob([Buffer.alloc(100_001)]) }, {}, 413],
  ['a passed deadline', {}, { assignment_deadline: '2026-01-01T00:00:00' }, 403],
])('an upload refused for %s leaves nothing on disk', async (_, files, assignment, status) => {
  const { classId, student } = await homework.setUp(assignment as Record<string, string>);
  const before = await homework.storedFiles();
  const answer = await homework.submit(classId, student, { 'good.pdf': homework.pdf, ...files });
  expect(answer.status).toBe(status);
  await waitFor(async () => (await homework.storedFiles()) === before);
  expect(await submissionsOf(classId)).toEqual([]);
});

test('a file sent by mistake can be removed, and its bytes are deleted (D44)', async () => {
  const { classId, student } = await homework.setUp();
  const { id, files } = await homework.submitted(classId, student, ['a.pdf', 'b.pdf']);
  const before = await homework.storedFiles();
  const remove = (submissionId: number | string, fileId: number | string | undefined) =>
    homework.call(`/api/v3/admin/homeworks/submissions/${submissionId}/files/${fileId}`, homework.admin, {
      method: 'DELETE',
    });
  const notFound = { message: 'PDF Homework not found', errors: null };

  const other = await homework.setUp();
  const { id: otherId } = await homework.submitted(other.classId, other.student);
  expect((await remove(otherId, files[0]?.id)).body).toEqual(notFound);
  expect((await remove(999_999, files[0]?.id)).body).toEqual(notFound);
  expect((await remove(id, 999_999)).body).toEqual(notFound);
  expect((await remove(id, 'x')).body).toEqual({ message: 'Not Found', errors: null });

  expect((await remove(id, files[0]?.id)).status).toBe(204);
  expect((await remove(id, files[0]?.id)).status).toBe(404);
  const [submission] = (await homework.homework(classId)).submissions;
  expect(submission?.files.map(({ name }) => name)).toEqual(['b.pdf']);
  expect((await homework.call(files[0]?.url ?? '', null)).status).toBe(403);
  // The other submission gained a file, and this one lost a file.
  await waitFor(async () => (await homework.storedFiles()) === before);
});

test('the next start deletes the files of an upload that a crash interrupted', async () => {
  await homework.rows(
    `INSERT INTO homework.files (key, name, size, sha256, crc32, created_at)
     VALUES ('leftover', 'a.pdf', 1, '', 0, now() - interval '2 hours')`,
  );
  homework.service.kill('SIGKILL');
  await waitFor(async () => !(await homework.call('/livez', null).catch(() => undefined)));
  await homework.service.start();
  await waitFor(
    async () => (await homework.rows("SELECT id FROM homework.files WHERE key = 'leftover'")).length === 0,
  );
});
