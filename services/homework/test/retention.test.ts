import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeworkService, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService({
    RETENTION_REPLACED_FILES: '30d',
    RETENTION_FINISHED_COURSES: '365d',
  });
});
afterAll(() => homework.close());

test('files past their retention are deleted, others stay, and the submissions get a new version', async () => {
  const [replaced, kept] = [await homework.setUp(), await homework.setUp()];
  const submissions = [];
  for (const { classId, student } of [replaced, kept]) {
    await homework.submitted(classId, student, ['a.pdf']);
    submissions.push(await homework.submitted(classId, student, ['b.pdf', 'c.pdf']));
  }
  const [old, fresh] = submissions.map(({ id }) => id);
  await homework.rows(
    `UPDATE homework.submission_files SET replaced_at = now() - interval '31 days'
     WHERE submission_id = $1 AND replaced_at IS NOT NULL`,
    old,
  );
  const filesOf = async (id: number | undefined) =>
    (await homework.rows('SELECT file_id FROM homework.submission_files WHERE submission_id = $1', id))
      .length;
  const versionOf = (id: number | undefined) =>
    homework.rows('SELECT xmin::text FROM homework.submissions WHERE id = $1', id);
  const before = [await versionOf(old), await versionOf(fresh)];

  homework.service.kill('SIGKILL');
  await homework.service.start();
  await waitFor(async () => (await filesOf(old)) === 2);
  expect(await filesOf(fresh)).toBe(3);
  expect(await versionOf(old)).not.toEqual(before[0]);
  expect(await versionOf(fresh)).toEqual(before[1]);
});
