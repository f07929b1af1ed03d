import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImportSystem, startImportSystem } from './importSystem.ts';
import { archiveOf, schoolOf } from './oneRosterArchive.ts';

let system: ImportSystem;
beforeAll(async () => {
  system = await startImportSystem();
});
afterAll(() => system.close());

/** Keeps a table from being written, so that a commit stands still where it would write it. */
async function holdTable(table: string): Promise<{ release(): Promise<void> }> {
  const { database } = system;
  const hold = `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`;
  // Ended from outside, which it answers with an error.
  const held = database.query(`BEGIN; ${hold}; SELECT pg_sleep(30)`).catch(() => {});
  const holders = `SELECT pid FROM pg_stat_activity WHERE query LIKE '%${hold}%' AND wait_event = 'PgSleep'`;
  await waitFor(async () => (await database.query(holders)).length === 1);
  return {
    async release() {
      await database.query(`SELECT pg_terminate_backend(pid) FROM (${holders}) AS holders`);
      await held;
    },
  };
}

const stateOf = async (id: string, schema: 'auth' | 'courses') => {
  const rows = await system.database.query<{ state: string }>(
    `SELECT state FROM ${schema}.imports WHERE id = $1`,
    [id],
  );
  return rows[0]?.state;
};
const isWaiting = async () =>
  (
    await system.database.query(
      "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    )
  ).length > 0;

async function plan(mark: string, students = 3) {
  const { body } = await system.dryRun(await archiveOf(schoolOf(mark, students)));
  expect(body.data.state).toBe('planned');
  return { id: body.data.id as string, token: body.data.token as string };
}

const nothing = async (before: Record<string, number>) => {
  await waitFor(async () => (await system.state()).reserved === 0, 20_000);
  expect(await system.state()).toEqual(before);
};
const all = (before: Record<string, number>, students: number) => ({
  users: (before.users ?? 0) + students,
  reserved: 0,
  userSources: (before.userSources ?? 0) + students,
  courses: (before.courses ?? 0) + 1,
  courseTotal: (before.courseTotal ?? 0) + 1,
  classes: (before.classes ?? 0) + 1,
  enrollments: (before.enrollments ?? 0) + students,
  studentCount: (before.studentCount ?? 0) + students,
});

describe('killed in the middle, an import has happened or has not', () => {
  test('courses, while auth reserves: it has not, and its token is still good', async () => {
    const before = await system.state();
    const { id, token } = await plan('reserving');
    const held = await holdTable('auth.users');
    const answer = system.commit(token).catch(() => undefined);
    await waitFor(isWaiting);
    system.courses.kill('SIGKILL');
    await answer;
    await held.release();
    await system.courses.start();
    await waitFor(async () => (await stateOf(id, 'courses')) === 'planned', 20_000);
    await nothing(before);
    expect(await system.commit(token)).toMatchObject({ status: 200, body: { data: { state: 'done' } } });
    expect(await system.state()).toEqual(all(before, 3));
  }, 40_000);

  test('courses, after auth has reserved and before its own commit: it has not', async () => {
    const before = await system.state();
    const { id, token } = await plan('deciding');
    const held = await holdTable('courses.course_total');
    const answer = system.commit(token).catch(() => undefined);
    await waitFor(isWaiting);
    expect(await stateOf(id, 'auth')).toBe('reserved');
    expect((await system.state()).users).toBe(before.users);
    system.courses.kill('SIGKILL');
    await answer;
    await held.release();
    await system.courses.start();
    await waitFor(async () => (await stateOf(id, 'auth')) === 'planned', 20_000);
    await nothing(before);
  }, 40_000);

  test('courses, after its commit: it has, as soon as it is back', async () => {
    const before = await system.state();
    const { id, token } = await plan('decided');
    const held = await holdTable('auth.user_sources');
    const answer = system.commit(token).catch(() => undefined);
    await waitFor(async () => (await stateOf(id, 'courses')) === 'committed');
    system.courses.kill('SIGKILL');
    await answer;
    await held.release();
    await system.courses.start();
    await waitFor(async () => (await stateOf(id, 'courses')) === 'done', 20_000);
    expect(await system.state()).toEqual(all(before, 3));
    expect(await system.commit(token)).toMatchObject({ status: 200, body: { data: { state: 'done' } } });
    expect(await system.state()).toEqual(all(before, 3));
  }, 40_000);

  test('auth, while it reserves: 503 and it has not, or it has once auth is back', async () => {
    const before = await system.state();
    const { token } = await plan('reservation');
    const held = await holdTable('auth.users');
    const answer = system.commit(token);
    await waitFor(isWaiting);
    system.auth.kill('SIGKILL');
    await held.release();
    await system.auth.start();
    const { status } = await answer;
    // The call is repeated while auth is being started again: then it has.
    expect([200, 503]).toContain(status);
    if (status === 503) await nothing(before);
    else expect(await system.state()).toEqual(all(before, 3));
  }, 60_000);

  test('auth, while it completes: it has, as soon as auth is back', async () => {
    const before = await system.state();
    const { id, token } = await plan('completion');
    const held = await holdTable('auth.user_sources');
    const answer = system.commit(token);
    await waitFor(async () => (await stateOf(id, 'courses')) === 'committed');
    system.auth.kill('SIGKILL');
    await held.release();
    await system.auth.start();
    expect([200, 202]).toContain((await answer).status);
    await waitFor(async () => (await stateOf(id, 'courses')) === 'done', 20_000);
    expect(await system.state()).toEqual(all(before, 3));
  }, 60_000);

  test('courses, while it reads: nothing is left', async () => {
    const before = await system.state();
    const answer = system.dryRun(await archiveOf(schoolOf('reading', 4_000))).catch(() => undefined);
    const rows = "SELECT 1 FROM courses.import_rows WHERE sourced_id LIKE 'reading%'";
    await waitFor(async () => (await system.database.query(`${rows} LIMIT 1`)).length > 0);
    system.courses.kill('SIGKILL');
    await answer;
    await system.courses.start();
    await waitFor(async () => (await system.database.query(`${rows} LIMIT 1`)).length === 0, 20_000);
    expect(await system.state()).toEqual(before);
  }, 40_000);
});

test('an address that is reserved belongs to nobody else', async () => {
  const { token } = await plan('kept', 1);
  const held = await holdTable('courses.course_total');
  const answer = system.commit(token);
  await waitFor(isWaiting);
  const taken = await system.call('POST', `${system.auth.url}/api/v3/admin/users`, {
    body: {
      ...{ first_name: 'A', last_name: 'B', email: 'Kept-1@school.example', role: 'user' },
      password: 'a good password',
    },
  });
  expect(taken).toMatchObject({ status: 422, body: { errors: { email: expect.anything() } } });
  await held.release();
  expect((await answer).status).toBe(200);
}, 30_000);
