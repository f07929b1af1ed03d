import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImportSystem, startImportSystem } from './importSystem.ts';
import { archiveOf, schoolOf } from './oneRosterArchive.ts';

let system: ImportSystem;
beforeAll(async () => {
  system = await startImportSystem();
});
afterAll(() => system.close());

/** Locks a table against writes, so that a commit blocks at this point. */
async function lockTable(table: string): Promise<{ release(): Promise<void> }> {
  const { database } = system;
  const lock = `LOCK TABLE ${table} IN SHARE ROW EXCLUSIVE MODE`;
  // `release` terminates the connection, so this query fails.
  const held = database.query(`BEGIN; ${lock}; SELECT pg_sleep(30)`).catch(() => {});
  const holders = `SELECT pid FROM pg_stat_activity WHERE query LIKE '%${lock}%' AND wait_event = 'PgSleep'`;
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
const isBlocked = async () =>
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

const expectUnchanged = async (before: Record<string, number>) => {
  await waitFor(async () => (await system.counts()).reserved === 0);
  expect(await system.counts()).toEqual(before);
};
const withSchool = (before: Record<string, number>, students: number) => ({
  users: (before.users ?? 0) + students,
  reserved: 0,
  userSources: (before.userSources ?? 0) + students,
  courses: (before.courses ?? 0) + 1,
  courseTotal: (before.courseTotal ?? 0) + 1,
  classes: (before.classes ?? 0) + 1,
  enrollments: (before.enrollments ?? 0) + students,
  studentCount: (before.studentCount ?? 0) + students,
});

describe('a crash leaves an import fully applied or not applied at all', () => {
  test('a crash of courses while auth reserves applies nothing and keeps the token valid', async () => {
    const before = await system.counts();
    const { id, token } = await plan('reserving');
    const held = await lockTable('auth.users');
    const answer = system.commit(token).catch(() => undefined);
    await waitFor(isBlocked);
    system.courses.kill('SIGKILL');
    await answer;
    await held.release();
    await system.courses.start();
    await waitFor(async () => (await stateOf(id, 'courses')) === 'planned');
    await expectUnchanged(before);
    expect(await system.commit(token)).toMatchObject({ status: 200, body: { data: { state: 'done' } } });
    expect(await system.counts()).toEqual(withSchool(before, 3));
  });

  test('a crash of courses between the reservation and the commit point applies nothing', async () => {
    const before = await system.counts();
    const { id, token } = await plan('deciding');
    const held = await lockTable('courses.course_total');
    const answer = system.commit(token).catch(() => undefined);
    await waitFor(isBlocked);
    expect(await stateOf(id, 'auth')).toBe('reserved');
    expect((await system.counts()).users).toBe(before.users);
    system.courses.kill('SIGKILL');
    await answer;
    await held.release();
    await system.courses.start();
    await waitFor(async () => (await stateOf(id, 'auth')) === 'planned');
    await expectUnchanged(before);
  });

  test('a crash of courses after the commit point applies everything after the restart', async () => {
    const before = await system.counts();
    const { id, token } = await plan('decided');
    const held = await lockTable('auth.user_sources');
    const answer = system.commit(token).catch(() => undefined);
    await waitFor(async () => (await stateOf(id, 'courses')) === 'committed');
    system.courses.kill('SIGKILL');
    await answer;
    await held.release();
    await system.courses.start();
    await waitFor(async () => (await stateOf(id, 'courses')) === 'done');
    expect(await system.counts()).toEqual(withSchool(before, 3));
    expect(await system.commit(token)).toMatchObject({ status: 200, body: { data: { state: 'done' } } });
    expect(await system.counts()).toEqual(withSchool(before, 3));
  });

  test('a crash of auth while it reserves leads to 503 with nothing applied, or to success after the restart', async () => {
    const before = await system.counts();
    const { token } = await plan('reservation');
    const held = await lockTable('auth.users');
    const answer = system.commit(token);
    await waitFor(isBlocked);
    system.auth.kill('SIGKILL');
    await held.release();
    await system.auth.start();
    const { status } = await answer;
    // The call may be retried until auth has restarted, and then succeeds.
    expect([200, 503]).toContain(status);
    if (status === 503) await expectUnchanged(before);
    else expect(await system.counts()).toEqual(withSchool(before, 3));
  });

  test('a crash of auth while it completes applies everything after the restart', async () => {
    const before = await system.counts();
    const { id, token } = await plan('completion');
    const held = await lockTable('auth.user_sources');
    const answer = system.commit(token);
    await waitFor(async () => (await stateOf(id, 'courses')) === 'committed');
    system.auth.kill('SIGKILL');
    await held.release();
    await system.auth.start();
    expect([200, 202]).toContain((await answer).status);
    await waitFor(async () => (await stateOf(id, 'courses')) === 'done');
    expect(await system.counts()).toEqual(withSchool(before, 3));
  });

  test('a crash of courses while it reads the archive leaves nothing behind', async () => {
    const before = await system.counts();
    const answer = system.dryRun(await archiveOf(schoolOf('reading', 4_000))).catch(() => undefined);
    const rows = "SELECT 1 FROM courses.import_rows WHERE sourced_id LIKE 'reading%'";
    await waitFor(async () => (await system.database.query(`${rows} LIMIT 1`)).length > 0);
    system.courses.kill('SIGKILL');
    await answer;
    await system.courses.start();
    await waitFor(async () => (await system.database.query(`${rows} LIMIT 1`)).length === 0);
    expect(await system.counts()).toEqual(before);
  });
});

test('a reserved address cannot be taken by another account', async () => {
  const { token } = await plan('kept', 1);
  const held = await lockTable('courses.course_total');
  const answer = system.commit(token);
  await waitFor(isBlocked);
  const taken = await system.call('POST', `${system.auth.url}/api/v3/admin/users`, {
    body: {
      first_name: 'A',
      last_name: 'B',
      email: 'Kept-1@school.example',
      role: 'user',
      password: 'a good password',
    },
  });
  expect(taken).toMatchObject({ status: 422, body: { errors: { email: expect.anything() } } });
  await held.release();
  expect((await answer).status).toBe(200);
});
