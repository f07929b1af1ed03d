import { openTransaction } from '@gradeway/test/openTransaction';
import { waitForLock } from '@gradeway/test/waitForLock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImportSystem, startImportSystem } from './importSystem.ts';
import { archiveOf, schoolOf } from './oneRosterArchive.ts';

let system: ImportSystem;
beforeAll(async () => {
  system = await startImportSystem();
});
afterAll(() => system.close());

async function importSchool(school: ReturnType<typeof schoolOf>) {
  const { body } = await system.dryRun(await archiveOf(school));
  return system.commit(body.data.token);
}

test('an import locks people before their enrollments, and courses last, as enrollments and erasures do', async () => {
  const school = schoolOf('locks');
  expect((await importSchool(school)).status).toBe(200);
  const [leaving] = await system.database.query<{ user_id: number; course_id: number }>(
    `SELECT user_id, course_id FROM courses.enrollment_sources WHERE sourced_id = 'locks-e1'`,
  );
  const changed = {
    ...school,
    courses: [{ sourcedId: 'locks-c1', title: 'Rings' }],
    enrollments: school.enrollments.map((row, index) => ({
      ...row,
      status: index === 0 ? 'tobedeleted' : 'active',
    })),
  };

  const erasure = await openTransaction(system.database.url('courses'));
  try {
    await erasure.query('SELECT FROM people WHERE user_id = $1 FOR UPDATE', [leaving?.user_id]);
    const imported = importSchool(changed);
    await waitForLock(system.database);
    for (const rows of ['roster WHERE course_id = $1 AND user_id = $2', 'courses WHERE id = $1 AND $2 > 0'])
      await erasure.query(`SELECT FROM ${rows} FOR UPDATE NOWAIT`, [leaving?.course_id, leaving?.user_id]);
    await erasure.query('COMMIT');
    expect(await imported).toMatchObject({ status: 200, body: { data: { state: 'done' } } });
  } finally {
    await erasure.end();
  }
  const [course] = await system.database.query(
    'SELECT title, student_count FROM courses.courses WHERE id = $1',
    [leaving?.course_id],
  );
  expect(course).toEqual({ title: 'Rings', student_count: 1 });
});
