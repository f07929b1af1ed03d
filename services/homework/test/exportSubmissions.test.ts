import { createHash } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePdf } from '@gradeway/local/demoPdf';
import { exportedSubmissions } from '@gradeway/test/exportedSubmissions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesForm, type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

const exported = (courseId: number) =>
  exportedSubmissions('homework', homework.service.grpcAddress, courseId);
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

async function storedPath(fileId: number | undefined): Promise<string> {
  const [file] = await homework.rows<{ key: string }>('SELECT key FROM homework.files WHERE id = $1', fileId);
  const key = file?.key ?? '';
  return join(homework.service.directory, 'files', key.slice(0, 2), key);
}

test('every current file of a course is exported with its bytes, its class and its student', async () => {
  const { courseId, classId, student } = await homework.setUp();
  const large = Buffer.from(await makePdf('Scan', { bytes: 700_000 }));
  await homework.submitted(classId, student, ['old.pdf']);
  await homework.submit(classId, student, filesForm([['new.pdf', new Blob([large])]]));
  const other = homework.enroll(courseId, { firstName: 'Bob', lastName: 'Byron', email: 'bob@x.example' });
  const submission = await homework.submitted(classId, other, ['one.pdf', 'two.pdf', 'wrong.pdf']);
  await homework.call(
    `/api/v3/admin/homeworks/submissions/${submission.id}/files/${submission.files[2]?.id}`,
    homework.admin,
    { method: 'DELETE' },
  );
  await homework.grade(submission.id, { rating: 8 });

  const files = await exported(courseId);
  expect(files.map(({ name, studentName }) => [name, studentName])).toEqual([
    ['new.pdf', `Ada Student ${student.id}`],
    ['one.pdf', 'Bob Byron'],
    ['two.pdf', 'Bob Byron'],
  ]);
  expect(files[0]).toMatchObject({ size: large.length, sha256: sha256(large), missing: false });
  expect(files[0]?.content.equals(large)).toBe(true);
  expect(files[0]).not.toHaveProperty('grade');
  expect(files[1]).toMatchObject({
    itemId: classId,
    itemTitle: `Class ${classId}`,
    submissionId: submission.id,
    studentId: other.id,
    studentEmail: 'bob@x.example',
    grade: 8,
    totalGrade: 10,
  });
});

test('no file is exported for a different or unknown course', async () => {
  const { courseId } = await homework.setUp();
  expect(await exported(courseId)).toEqual([]);
  expect(await exported(999_999)).toEqual([]);
});

test('a file that the store has lost is marked as missing, and the others are exported', async () => {
  const { courseId, classId, student } = await homework.setUp();
  const { files } = await homework.submitted(classId, student, ['lost.pdf', 'kept.pdf']);
  await rm(await storedPath(files[0]?.id));
  const listed = await exported(courseId);
  expect(listed.map(({ name, missing, content }) => [name, missing, content.length > 0])).toEqual([
    ['lost.pdf', true, false],
    ['kept.pdf', false, true],
  ]);
});

test('a failing store ends the export with an error', async () => {
  const { courseId, classId, student } = await homework.setUp();
  const { files } = await homework.submitted(classId, student, ['a.pdf']);
  const path = await storedPath(files[0]?.id);
  await rm(path);
  await mkdir(path);
  await expect(exported(courseId)).rejects.toMatchObject({ code: 'internal' });
});

test('a large export of homework is complete, including a deleted class and a deleted account', async () => {
  const { courseId, classId, student } = await homework.setUp();
  await homework.submitted(classId, student);
  const empty = homework.enroll(courseId);
  const { id, files } = await homework.submitted(classId, empty);
  await homework.call(`/api/v3/admin/homeworks/submissions/${id}/files/${files[0]?.id}`, homework.admin, {
    method: 'DELETE',
  });
  const many = 350;
  await homework.rows(
    `WITH s AS (INSERT INTO homework.submissions (class_id, student_id, submitted_at)
       SELECT $1, 100000 + i, now() FROM generate_series(1, $2::integer) i RETURNING id, student_id),
     f AS (INSERT INTO homework.files (key, name, size, sha256, crc32, attached_at)
       SELECT 'lost' || student_id || $1, 'a.pdf', 1, 'x', 0, now() FROM s RETURNING id, key)
     INSERT INTO homework.submission_files (file_id, submission_id, submitted_at)
       SELECT f.id, s.id, now() FROM s JOIN f ON f.key = 'lost' || s.student_id || $1`,
    classId,
    many,
  );
  await homework.rows('UPDATE homework.classes SET is_deleted = true WHERE class_id = $1', classId);
  await homework.rows('UPDATE homework.people SET is_deleted = true WHERE user_id = $1', student.id);
  const listed = await exported(courseId);
  expect(listed).toHaveLength(many + 1);
  expect(new Set(listed.map(({ studentId }) => studentId)).size).toBe(many + 1);
  expect(listed[0]).toMatchObject({ studentId: student.id, studentName: '', studentEmail: '' });
});
