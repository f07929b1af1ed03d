import { auditEvents } from '@gradeway/test/auditEvents';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImportRow, type ImportSystem, startImportSystem } from './importSystem.ts';
import { archiveOf, schoolOf, zip } from './oneRosterArchive.ts';

let system: ImportSystem;
beforeAll(async () => {
  system = await startImportSystem();
});
afterAll(() => system.close());

const actions = (rows: ImportRow[]) => rows.map(({ file, action }) => `${file.slice(0, 3)} ${action}`);
const path = (path: string) => `${system.courses.url}/api/v3/admin${path}`;
const importSchool = async (school: Parameters<typeof archiveOf>[0], query = '') => {
  const answer = await system.send(await archiveOf(school), query);
  expect(answer, JSON.stringify(answer.body)).toMatchObject({
    status: 200,
    body: { data: { state: 'done' } },
  });
  return answer.body.data.rows as ImportRow[];
};
const courseOf = async (sourcedId: string): Promise<number> => {
  const query = 'SELECT course_id FROM courses.course_sources WHERE sourced_id = $1';
  return (await system.database.query<{ course_id: number }>(query, [sourcedId]))[0]?.course_id ?? 0;
};
const studentsOf = async (sourcedId: string) =>
  (await system.call('GET', path(`/courses/${await courseOf(sourcedId)}/students`))).body;
const account = async (sourcedId: string) => {
  const query = 'SELECT u.* FROM auth.users u JOIN auth.user_sources ON user_id = id WHERE sourced_id = $1';
  return (await system.database.query<Record<string, unknown>>(query, [sourcedId]))[0];
};
const login = (email: string, password: string) =>
  system.call('POST', `${system.auth.url}/api/v3/login`, { token: null, body: { email, password } });

describe('imports', () => {
  test('a dry run reports each row and changes nothing, and its token commits exactly that plan once', async () => {
    const before = await system.counts();
    const dryRun = await system.dryRun(await archiveOf(schoolOf('one')));
    expect(dryRun).toMatchObject({ status: 200, body: { data: { state: 'planned' } } });
    expect(actions(dryRun.body.data.rows)).toEqual([
      'use create',
      'use create',
      'cou create',
      'cla create',
      'enr create',
      'enr create',
    ]);
    expect(dryRun.body.data.rows[0]).toEqual({
      file: 'users.csv',
      line: 2,
      sourced_id: 'one-u1',
      action: 'create',
      messages: [],
      changes: {
        first_name: [null, 'Ada'],
        last_name: [null, 'L1'],
        role: [null, 'user'],
        email: [null, 'one-1@school.example'],
        is_blocked: [null, false],
      },
    });
    expect(await system.counts()).toEqual(before);

    const committed = await system.commit(dryRun.body.data.token);
    expect(committed).toMatchObject({ status: 200, body: { data: { state: 'done' } } });
    const after = await system.counts();
    expect(after).toEqual({
      users: (before.users ?? 0) + 2,
      reserved: 0,
      userSources: (before.userSources ?? 0) + 2,
      courses: (before.courses ?? 0) + 1,
      courseTotal: (before.courseTotal ?? 0) + 1,
      classes: (before.classes ?? 0) + 1,
      enrollments: (before.enrollments ?? 0) + 2,
      studentCount: (before.studentCount ?? 0) + 2,
    });
    expect(await studentsOf('one-c1')).toMatchObject({
      data: [
        { name: 'Ada L1', email: 'one-1@school.example' },
        { name: 'Ada L2', email: 'one-2@school.example' },
      ],
    });
    const again = await system.commit(dryRun.body.data.token);
    expect(again).toMatchObject({ status: committed.status, body: committed.body });
    expect(await system.counts()).toEqual(after);
  });

  test('a repeated import finds every row unchanged', async () => {
    const school = schoolOf('repeated');
    await importSchool(school);
    const after = await system.counts();
    expect(new Set((await importSchool(school)).map(({ action }) => action))).toEqual(new Set(['unchanged']));
    expect(await system.counts()).toEqual(after);
  });

  test('an import accepts people with one name, rows of only commas and rows without trailing cells (D56)', async () => {
    const users = 'sourcedId,role,givenName,familyName,email,sms,grades\n';
    const rows = [
      'one-name,student,Suharto,,suharto@school.example',
      ',,,,,,',
      'two,student,Ada,L,ada@one.example,,,,',
    ];
    const archive = await zip({ 'users.csv': users + rows.join('\r\n') });
    expect((await system.send(archive)).status).toBe(200);
    expect(await account('one-name')).toMatchObject({ first_name: 'Suharto', last_name: '' });
    expect(await account('two')).toMatchObject({ first_name: 'Ada', last_name: 'L' });
    const again = await system.dryRun(archive);
    expect(actions(again.body.data.rows)).toEqual(['use unchanged', 'use unchanged']);
  });

  test('an import publishes one event per new record and no others', async () => {
    await importSchool(schoolOf('events', 3));
    const events = async (schema: string, condition: string, value: unknown) =>
      (
        await system.database.query<{ type: string; count: number }>(
          `SELECT type, count(*)::int AS count FROM ${schema}.outbox WHERE ${condition} GROUP BY type ORDER BY type`,
          [value],
        )
      ).map(({ type, count }) => `${type} ${count}`);
    expect(await events('auth', "body->'data'->>'email' LIKE $1", 'events-%')).toEqual(['user.changed.v1 3']);
    const course = await courseOf('events-c1');
    expect(await events('courses', "body->'data'->'course_id' = to_jsonb($1::int)", course)).toEqual([
      'class.changed.v1 1',
      'enrollment.changed.v1 3',
    ]);
    expect(await events('courses', "body->>'subject' = 'courses/' || $1", course)).toEqual([
      'course.changed.v1 1',
    ]);
  });

  test('an import sets the password of a new account and never changes an existing one', async () => {
    const school = schoolOf('password', 1);
    const [user] = school.users;
    if (user) user.password = 'the first password';
    await importSchool(school);
    expect((await login('password-1@school.example', 'the first password')).status).toBe(200);
    if (user) user.password = 'another password';
    await importSchool(school);
    expect((await login('password-1@school.example', 'another password')).status).toBe(401);
    expect((await login('password-1@school.example', 'the first password')).status).toBe(200);
    const [{ rows = '' } = {}] = await system.database.query<{ rows: string }>(
      'SELECT string_agg(r::text, $1) AS rows FROM courses.import_rows r',
      [' '],
    );
    expect(rows).not.toContain('the first password');
  });

  test('an imported password must be changed, with the imported one as proof', async () => {
    const school = schoolOf('initial', 1);
    const [user] = school.users;
    if (user) user.password = 'the first password';
    await importSchool(school);
    const email = 'initial-1@school.example';
    const { body } = await login(email, 'the first password');
    expect(body.change_password).toBe(true);
    expect((await login(email, 'the first password')).body.change_password).toBe(true);
    const change = (fields: object) =>
      system.call('PUT', `${system.auth.url}/api/v3/password`, { token: body.access_token, body: fields });
    expect((await change({ password: 'a second password' })).status).toBe(422);
    const fields = { password: 'a second password', current_password: 'the first password' };
    expect((await change(fields)).status).toBe(200);
    expect((await login(email, 'a second password')).body.change_password).toBe(false);
  });

  test('an imported account without a password logs in with a one-time code and must set a password', async () => {
    await importSchool(schoolOf('code', 1));
    const email = 'code-1@school.example';
    await system.call('POST', `${system.auth.url}/api/v3/login/otp`, { token: null, body: { email } });
    const codeOf = () => new RegExp(`"to":"${email}","code":"(\\d{6})"`).exec(system.auth.log())?.[1];
    await waitFor(() => codeOf() !== undefined);
    const verify = `${system.auth.url}/api/v3/login/otp/verify`;
    const opened = await system.call('POST', verify, { token: null, body: { email, code: codeOf() } });
    expect([opened.status, opened.body.change_password]).toEqual([200, true]);
    expect((await login(email, 'no password at all')).status).toBe(401);
  });

  test('an import updates names, addresses, roles and titles, and ends the sessions of changed roles', async () => {
    const school = schoolOf('changed', 2);
    const [user, other] = school.users;
    if (user) user.password = 'a good password';
    await importSchool(school);
    const { body } = await login('changed-1@school.example', 'a good password');
    Object.assign(user ?? {}, { givenName: 'Augusta', email: 'augusta@school.example', role: 'teacher' });
    Object.assign(other ?? {}, { email: 'Changed-2@school.example' });
    Object.assign(school.courses[0] ?? {}, { title: 'Analysis' });
    Object.assign(school.classes[0] ?? {}, { title: 'Limits' });
    const rows = await importSchool(school);
    expect(rows.map(({ action, changes }) => [action, changes])).toEqual([
      [
        'update',
        {
          first_name: ['Ada', 'Augusta'],
          role: ['user', 'instructor'],
          email: ['changed-1@school.example', 'augusta@school.example'],
        },
      ],
      ['update', { email: ['changed-2@school.example', 'Changed-2@school.example'] }],
      ['update', { title: ['Algebra', 'Analysis'] }],
      ['update', { title: ['Groups', 'Limits'] }],
      ['unchanged', {}],
      ['unchanged', {}],
    ]);
    expect((await login('augusta@school.example', 'a good password')).status).toBe(200);
    const old = await system.call('GET', `${system.auth.url}/api/v3/me`, { token: body.access_token });
    expect(old.status).toBe(401);
    await waitFor(async () => (await studentsOf('changed-c1')).data[0].name === 'Augusta L1');
  });

  test('an import adopts an existing account with the same address and reports it', async () => {
    const properties = { first_name: 'Ada', last_name: 'L1', email: 'Adopted-1@school.example' };
    const made = await system.call('POST', `${system.auth.url}/api/v3/admin/users`, {
      body: { ...properties, password: 'a good password', role: 'user' },
    });
    const [row] = await importSchool(schoolOf('adopted', 1));
    expect(row).toMatchObject({
      action: 'update',
      changes: { sourced_id: [null, 'adopted-u1'] },
      messages: ['An account with this address already exists. The import takes it over.'],
    });
    expect((await account('adopted-u1'))?.id).toBe(made.body.data.id);
    expect((await login('adopted-1@school.example', 'a good password')).status).toBe(200);
  });

  test('an import blocks disabled users and unblocks only users that an import blocked', async () => {
    const school = schoolOf('blocked', 2);
    await importSchool(school);
    const [first, second] = school.users;
    if (first) first.enabledUser = 'false';
    const byHand = await account('blocked-u2');
    await system.call('PATCH', `${system.auth.url}/api/v3/admin/users/${byHand?.id}`, {
      body: { is_blocked: true },
    });
    await importSchool(school);
    expect([await account('blocked-u1'), await account('blocked-u2')]).toMatchObject([
      { is_blocked: true },
      { is_blocked: true },
    ]);
    if (first) first.enabledUser = 'true';
    if (second) second.enabledUser = 'true';
    await importSchool(school);
    expect([await account('blocked-u1'), await account('blocked-u2')]).toMatchObject([
      { is_blocked: false },
      { is_blocked: true },
    ]);
  });

  test('rows with status tobedeleted delete accounts, courses, classes and enrollments', async () => {
    const school = schoolOf('deleted', 2);
    await importSchool(school);
    const before = await system.counts();
    const status = 'tobedeleted';
    const rows = await importSchool({
      users: [{ sourcedId: 'deleted-u1', status }],
      enrollments: [
        { sourcedId: 'deleted-e1', status },
        { sourcedId: 'deleted-e2', status },
        { sourcedId: 'deleted-e9', status },
      ],
    });
    expect(actions(rows)).toEqual(['use delete', 'enr delete', 'enr delete', 'enr unchanged']);
    const after = await system.counts();
    expect(after).toMatchObject({
      users: (before.users ?? 0) - 1,
      enrollments: (before.enrollments ?? 0) - 2,
      studentCount: (before.studentCount ?? 0) - 2,
    });
    await importSchool({
      courses: [{ sourcedId: 'deleted-c1', status }],
      classes: [{ sourcedId: 'deleted-k1', status }],
    });
    expect(await system.counts()).toMatchObject({
      courses: (before.courses ?? 0) - 1,
      courseTotal: (before.courseTotal ?? 0) - 1,
      classes: (before.classes ?? 0) - 1,
    });
  });

  test('students in several classes of a course have one enrollment until the last one ends', async () => {
    const school = schoolOf('twice', 1);
    school.classes.push({ sourcedId: 'twice-k2', title: 'Rings', courseSourcedId: 'twice-c1' });
    school.enrollments.push({
      sourcedId: 'twice-e2',
      classSourcedId: 'twice-k2',
      userSourcedId: 'twice-u1',
      role: 'student',
    });
    expect(actions(await importSchool(school)).slice(-2)).toEqual(['enr create', 'enr unchanged']);
    const end = (sourcedId: string) =>
      importSchool({ enrollments: [{ sourcedId, status: 'tobedeleted' }] }).then(actions);
    expect(await end('twice-e1')).toEqual(['enr unchanged']);
    expect((await studentsOf('twice-c1')).data).toHaveLength(1);
    expect(await end('twice-e2')).toEqual(['enr delete']);
    expect((await studentsOf('twice-c1')).data).toHaveLength(0);
  });

  test('the paid parameter applies to new enrollments and leaves existing ones unchanged', async () => {
    const school = schoolOf('paid', 1);
    await importSchool(school, '?paid=0');
    const paid = async () => {
      const query = 'SELECT paid FROM courses.roster WHERE course_id = $1';
      return system.database.query<{ paid: boolean }>(query, [await courseOf('paid-c1')]);
    };
    expect(await paid()).toEqual([{ paid: false }]);
    await importSchool(school);
    expect(await paid()).toEqual([{ paid: false }]);
  });

  test('a delta may refer to records of earlier imports', async () => {
    await importSchool(schoolOf('delta', 1));
    await importSchool({ users: [{ ...schoolOf('delta', 2).users[1] }] });
    const rows = await importSchool({ enrollments: [{ ...schoolOf('delta', 2).enrollments[1] }] });
    expect(actions(rows)).toEqual(['enr create']);
    expect((await studentsOf('delta-c1')).data).toHaveLength(2);
  });

  test('an import neither creates, changes nor enrolls administrators', async () => {
    const school = schoolOf('staff', 1);
    school.users.push(
      {
        sourcedId: 'staff-a',
        role: 'administrator',
        givenName: 'A',
        familyName: 'A',
        email: 'a@staff.example',
      },
      {
        sourcedId: 'staff-b',
        role: 'student',
        givenName: 'A',
        familyName: 'A',
        email: 'admin@school.example',
      },
      { sourcedId: 'staff-t', role: 'teacher', givenName: 'T', familyName: 'T', email: 't@staff.example' },
    );
    school.enrollments.push({
      sourcedId: 'staff-e',
      classSourcedId: 'staff-k1',
      userSourcedId: 'staff-t',
      role: 'administrator',
    });
    const rows = await importSchool(school);
    expect(rows.filter(({ action }) => action === 'ignored').map(({ file, line }) => [file, line])).toEqual([
      ['users.csv', 3],
      ['users.csv', 4],
      ['enrollments.csv', 3],
    ]);
    expect(await account('staff-t')).toMatchObject({ role: 'instructor' });
    expect(await login('admin@school.example', 'an administrator of the tests')).toMatchObject({
      status: 200,
    });
  });

  test.each([
    [
      'an account',
      (id: number) =>
        system.call('PATCH', `${system.auth.url}/api/v3/admin/users/${id}`, { body: { last_name: 'Other' } }),
    ],
    [
      'an address',
      () =>
        system.call('POST', `${system.auth.url}/api/v3/admin/users`, {
          body: {
            first_name: 'A',
            last_name: 'B',
            email: 'between-2@school.example',
            role: 'user',
            password: 'a good password',
          },
        }),
    ],
    [
      'a course',
      async () =>
        system.call('PATCH', path(`/courses/${await courseOf('between-c1')}`), { body: { title: 'New' } }),
    ],
    [
      'an enrollment',
      async (id: number) =>
        system.call('DELETE', path(`/courses/${await courseOf('between-c1')}/students/${id}`)),
    ],
  ])('a commit is 409 and changes nothing when %s changed since the dry run', async (_what, change) => {
    await importSchool(schoolOf('between', 1));
    const id = Number((await account('between-u1'))?.id);
    const { body } = await system.dryRun(await archiveOf(schoolOf('between', 3)));
    expect((await change(id)).status).toBeLessThan(300);
    const before = await system.counts();
    const refused = await system.commit(body.data.token);
    expect(refused).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/since the dry run/) },
    });
    expect(await system.counts()).toEqual(before);
    await system.database.query(
      "UPDATE auth.users SET email = id || '@gone.example' WHERE email = 'between-2@school.example'",
    );
  });

  test('a token commits the plan of its dry run, even when an archive comes with it', async () => {
    const { body } = await system.dryRun(await archiveOf(schoolOf('shown', 1)));
    const other = await archiveOf(schoolOf('other', 2));
    const answer = await system.send(other, `?token=${body.data.token}`);
    expect(answer).toMatchObject({ status: 200, body: { data: { id: body.data.id, state: 'done' } } });
    expect([await account('shown-u1'), await account('other-u1')]).toEqual([expect.anything(), undefined]);
  });

  test('concurrent commits of one token apply the plan once', async () => {
    const { body } = await system.dryRun(await archiveOf(schoolOf('atonce', 5)));
    const before = await system.counts();
    const answers = await Promise.all([1, 2, 3].map(() => system.commit(body.data.token)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect((await system.counts()).users).toBe((before.users ?? 0) + 5);
  });

  test('an expired plan is deleted and its token is invalid', async () => {
    const { body } = await system.dryRun(await archiveOf(schoolOf('expired', 1)));
    await system.database.query(
      "UPDATE courses.imports SET expires_at = now() - interval '1 second' WHERE id = $1",
      [body.data.id],
    );
    expect(await system.commit(body.data.token)).toMatchObject({
      status: 422,
      body: { errors: { token: [expect.stringMatching(/unknown or has expired/)] } },
    });
    const rows = 'SELECT position FROM courses.import_rows WHERE import_id = $1';
    await waitFor(async () => (await system.database.query(rows, [body.data.id])).length === 0);
    expect(system.auth.log()).not.toContain('could not purge expired rows');
  });

  test('the state of an import shows its progress', async () => {
    const id = '0c5f4bd8-6a0f-4f0e-8f4f-2f9d6f6f0a11';
    await system.dryRun(await archiveOf(schoolOf('far', 1)), `&id=${id}`);
    const shown = await system.call('GET', path(`/import/${id}`));
    expect(shown).toMatchObject({
      status: 200,
      body: { data: { id, state: 'planned', done: 4, total: 4, summary: { users: { create: 1 } } } },
    });
    expect(shown.body.data).not.toHaveProperty('token');
    expect((await system.dryRun(await archiveOf(schoolOf('far', 1)), `&id=${id}`)).status).toBe(409);
    expect((await system.call('GET', path('/import/1'))).status).toBe(404);
  });
});

test('a commit creates one audit entry with its counts, and a dry run creates none', async () => {
  const dryRun = await system.dryRun(await archiveOf(schoolOf('audited')));
  const { id, token } = dryRun.body.data;
  const entries = () => auditEvents(system.database, 'courses', { object_type: 'import', object_id: id });
  expect(await entries()).toEqual([]);
  for (const _ of ['once', 'repeated']) expect((await system.commit(token)).status).toBe(200);
  expect(await entries()).toMatchObject([
    {
      action: 'import.committed',
      actor_role: 'admin',
      changes: {
        users_create: [0, 2],
        courses_create: [0, 1],
        classes_create: [0, 1],
        enrollments_create: [0, 2],
      },
    },
  ]);
});
