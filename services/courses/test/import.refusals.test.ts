import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { scrape } from '@gradeway/test/metrics';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImportSystem, startImportSystem } from './importSystem.ts';
import { archiveOf, csv, schoolOf, zip } from './oneRosterArchive.ts';

let system: ImportSystem;
beforeAll(async () => {
  system = await startImportSystem({
    IMPORT_MAX_BYTES: '200000',
    IMPORT_MAX_ROWS: '500',
    IMPORT_MAX_PASSWORDS: '2',
  });
});
afterAll(() => system.close());

const waitForActiveRequest = () =>
  waitFor(async () => (await scrape(system.courses.adminUrl)).value('http_server_active_requests'));
const path = () => `${system.courses.url}/api/v3/admin/import`;
const users = (...rows: Record<string, string>[]) => csv('users', rows);
const user = (n: number, change: Record<string, string> = {}) => ({
  sourcedId: `u${n}`,
  enabledUser: 'true',
  role: 'student',
  username: `u${n}`,
  givenName: 'Ada',
  familyName: 'L',
  email: `u${n}@bad.example`,
  ...change,
});
const errorsOf = async (files: Record<string, string | Buffer>) => {
  const answer = await system.send(await zip(files));
  expect(answer.status, JSON.stringify(answer.body)).toBe(422);
  return answer.body.errors;
};

describe('unreadable archives', () => {
  test.each([
    ['not a ZIP file', Buffer.from('sourcedId,status'), { file: ['The file must be a ZIP archive.'] }],
    ['empty', Buffer.alloc(0), { file: ['The file must be a ZIP archive.'] }],
  ])('an archive that is %s is 422', async (_what, archive, errors) => {
    expect(await system.send(archive)).toMatchObject({ status: 422, body: { errors } });
  });

  test('an archive damaged or truncated anywhere is 422', async () => {
    const whole = await zip({ 'users.csv': users(...Array.from({ length: 50 }, (_, n) => user(n))) });
    expect(whole.indexOf('PK')).toBe(0);
    for (const place of [0, 60, Math.floor(whole.length / 2), whole.length - 60, whole.length - 10]) {
      const archive = Buffer.from(whole);
      archive.fill(0xff, place, place + 8);
      const { status, body } = await system.dryRun(archive);
      expect([status, Object.keys(body.errors ?? {}).length], `${place}`).toEqual([422, 1]);
      expect((await system.dryRun(whole.subarray(0, place))).status).toBe(422);
    }
  });

  test('an archive without any of the four files is 422', async () => {
    expect(await errorsOf({ 'orgs.csv': 'sourcedId' })).toEqual({
      file: ['The archive must contain users.csv, courses.csv, classes.csv or enrollments.csv.'],
    });
  });

  test('an archive with a file without a required column is 422', async () => {
    expect(await errorsOf({ 'users.csv': 'sourcedId,status,role,givenName\n' })).toEqual({
      'users.csv': ['The first line must name the columns; it lacks familyName, email.'],
    });
  });

  test('an archive with a file that is empty, not UTF-8 or not CSV is 422', async () => {
    expect(await errorsOf({ 'courses.csv': '' })).toHaveProperty(['courses.csv']);
    const latin1 = Buffer.from(users(user(1, { givenName: 'Zoë' })), 'latin1');
    expect(await errorsOf({ 'users.csv': latin1 })).toEqual({ 'users.csv': ['The file must be UTF-8.'] });
    expect(await errorsOf({ 'courses.csv': 'sourcedId,title\nc1,"Algebra\n' })).toEqual({
      'courses.csv:2': ['A quotation mark is never closed.'],
    });
  });

  test('an archive whose manifest has another version or omits a file is 422', async () => {
    const manifest = (...lines: string[]) => ['propertyName,value', ...lines].join('\n');
    const courses = 'sourcedId,title\nc1,Algebra\n';
    expect(
      await errorsOf({ 'manifest.csv': manifest('oneroster.version,1.2'), 'courses.csv': courses }),
    ).toEqual({ 'manifest.csv:2': ['The oneroster.version must be 1.1.'] });
    expect(await errorsOf({ 'manifest.csv': manifest('file.users,bulk'), 'courses.csv': courses })).toEqual({
      'manifest.csv:2': ['The archive does not contain users.csv.'],
    });
  });

  test('an archive over the limit for rows, bytes or passwords is 422', async () => {
    const many = users(...Array.from({ length: 600 }, (_, n) => user(n)));
    expect(Object.keys(await errorsOf({ 'users.csv': many }))).toEqual(['users.csv:502']);
    const bomb = Buffer.alloc(6_000_000, 'a');
    expect(await errorsOf({ 'users.csv': bomb })).toEqual({
      file: ['The archive decompresses to more than 4000000 bytes.'],
    });
    const withPassword = [1, 2, 3].map((n) => user(n, { password: 'a good password' }));
    expect(await errorsOf({ 'users.csv': users(...withPassword) })).toHaveProperty(['users.csv:4']);
  });

  test('an archive over the size limit is 413', async () => {
    const archive = Buffer.alloc(300_000, 'a');
    expect((await system.send(archive)).status).toBe(413);
    expect((await system.call('POST', path(), { body: archive })).status).toBe(413);
  });
});

describe('invalid rows', () => {
  test('several rows for one record are an error that lists their lines', async () => {
    const archive = await zip({
      'users.csv': users(
        user(1),
        user(2),
        user(1, { email: 'x@bad.example' }),
        user(4, { email: 'U2@bad.example' }),
      ),
    });
    const { status, body } = await system.dryRun(archive);
    expect([status, body.data.state, body.data.token]).toEqual([200, 'refused', null]);
    expect(
      body.data.rows.map(({ line, action, messages }: Record<string, unknown>) => [line, action, messages]),
    ).toEqual([
      [2, 'error', ['The sourcedId u1 is on several lines of users.csv: 2, 4.']],
      [3, 'error', ['The email u2@bad.example is on several lines of users.csv: 3, 5.']],
      [4, 'error', ['The sourcedId u1 is on several lines of users.csv: 2, 4.']],
      [5, 'error', ['The email u2@bad.example is on several lines of users.csv: 3, 5.']],
    ]);
  });

  test('each invalid row is reported by file and line, and no other row is imported', async () => {
    const before = await system.counts();
    const errors = await errorsOf({
      'users.csv': users(
        user(1),
        user(2, { role: 'janitor' }),
        user(3, { givenName: '' }),
        user(4, { email: 'nowhere' }),
        user(5, { email: '' }),
        user(6, { status: 'gone' }),
        user(7, { password: 'short' }),
        user(8, { enabledUser: 'maybe' }),
        user(10, { password: 'football' }),
      ),
      'courses.csv':
        'sourcedId,title\nc1,Algebra\n,Nameless\nc3,"A\nB",too much\nc4,"with ""quotes"", and comma"\n',
      'classes.csv': 'sourcedId,title,courseSourcedId\nk1,Groups,c9\nk2,Rings,c3\nk3,Fields,c1\n',
      'enrollments.csv': [
        'sourcedId,classSourcedId,userSourcedId,role',
        'e1,k3,u9,student',
        'e2,k1,u1,student',
        'e3,k9,u1,student',
        'e4,k3,u2,student',
        'e5,k3,u1,pupil',
      ].join('\n'),
    });
    expect(errors).toEqual({
      'users.csv:3': [expect.stringMatching(/^The role must be one of student, teacher/)],
      'users.csv:4': ['The givenName field is required.'],
      'users.csv:5': ['email: The email must be a valid email address.'],
      'users.csv:6': [
        'email: A new account needs an email address, or a mobile number in international form.',
      ],
      'users.csv:7': ['The status must be active or tobedeleted.'],
      'users.csv:8': ['password: The password must be at least 8 characters.'],
      'users.csv:9': ['The enabledUser must be true or false.'],
      'users.csv:10': ['password: The password is too common.'],
      'courses.csv:3': ['The sourcedId field is required.'],
      'courses.csv:4': ['The row has more cells than the first line has columns.'],
      'classes.csv:2': ['The courseSourcedId matches no course in courses.csv or in an earlier import.'],
      'classes.csv:3': ['The courseSourcedId refers to line 4 of courses.csv, which has an error.'],
      'enrollments.csv:2': ['The userSourcedId matches nobody in users.csv or in an earlier import.'],
      'enrollments.csv:3': ['The classSourcedId refers to line 2 of classes.csv, which has an error.'],
      'enrollments.csv:4': ['The classSourcedId matches no class in classes.csv or in an earlier import.'],
      'enrollments.csv:5': ['The userSourcedId refers to line 3 of users.csv, which has an error.'],
      'enrollments.csv:6': [expect.stringMatching(/^The role must be one of administrator, proctor/)],
    });
    expect(await system.counts()).toEqual(before);
  });

  test('a row with the address of another account is an error', async () => {
    await system.send(await zip({ 'users.csv': users(user(21), user(22)) }));
    const errors = await errorsOf({
      'users.csv': users(user(23, { email: 'u21@bad.example' }), user(22, { email: 'u21@bad.example' })),
    });
    expect(Object.keys(errors)).toEqual(['users.csv:2', 'users.csv:3']);
    expect(await errorsOf({ 'users.csv': users(user(23, { email: 'u21@bad.example' })) })).toEqual({
      'users.csv:2': ['email: The email already belongs to the account of sourcedId u21.'],
    });
  });
});

describe('accepted variations', () => {
  test('an archive may contain a byte order mark, a folder, other files, unknown columns, any column order and line breaks in cells', async () => {
    const archive = await zip({
      'school/courses.csv':
        '\uFEFFtitle,colour,sourcedId\r\n"Groups,\r\nRings",green,odd-1\r\nFields,,odd-2\r\n',
      'school/orgs.csv': 'sourcedId,name\no1,School\n',
      'school/academicSessions.csv': 'sourcedId\n',
      '__MACOSX/._courses.csv': 'x',
    });
    const { status, body } = await system.dryRun(archive);
    expect(status).toBe(200);
    expect(body.data.ignored).toEqual(['academicSessions.csv', 'orgs.csv']);
    expect(body.data.rows).toMatchObject([
      { line: 2, sourced_id: 'odd-1', changes: { title: [null, 'Groups,\r\nRings'] } },
      { line: 4, sourced_id: 'odd-2', changes: { title: [null, 'Fields'] } },
    ]);
  });

  test('the archive may be the whole request body', async () => {
    const archive = await archiveOf({ courses: [{ sourcedId: 'raw', title: 'Raw' }] });
    const answer = await system.call('POST', `${path()}?dry_run=true`, { body: archive });
    expect(answer).toMatchObject({ status: 200, body: { data: { state: 'planned' } } });
  });
});

describe('requests', () => {
  test('an import without a token is 401, and with another role 403', async () => {
    expect((await system.call('POST', path(), { token: null, body: {} })).status).toBe(401);
    const password = 'a good password';
    const [teacher] = [user(50, { role: 'teacher', password, email: 't50@bad.example' })];
    await system.send(await zip({ 'users.csv': users(teacher) }));
    const login = { email: 't50@bad.example', password };
    const { body } = await system.call('POST', `${system.auth.url}/api/v3/login`, {
      token: null,
      body: login,
    });
    expect((await system.call('POST', path(), { token: body.access_token, body: {} })).status).toBe(403);
  });

  test('an import with a missing archive, an unknown token or an invalid parameter is 422', async () => {
    const errors = async (url: string, body?: unknown) => {
      const answer = await system.call('POST', url, { body });
      return [answer.status, Object.keys(answer.body.errors ?? {})];
    };
    expect(await errors(path())).toEqual([422, ['file']]);
    expect(await errors(path(), {})).toEqual([422, ['file']]);
    expect(await errors(path(), { token: 'none' })).toEqual([422, ['token']]);
    expect(await errors(`${path()}?token=none`)).toEqual([422, ['token']]);
    expect(await errors(`${path()}?dry_run=perhaps`, {})).toEqual([422, ['dry_run']]);
    expect(await errors(`${path()}?id=5`, {})).toEqual([422, ['id']]);
  });
});

test('an aborted archive upload changes nothing and leaves no file', async () => {
  const before = await system.counts();
  const archive = await archiveOf(schoolOf('cut', 50));
  for (const type of ['application/zip', 'multipart/form-data; boundary=x']) {
    const headers = {
      authorization: `Bearer ${system.admin}`,
      'content-type': type,
      'content-length': String(archive.length + 1_000),
    };
    await new Promise<void>((resolve) => {
      const sent = request(path(), { method: 'POST', headers });
      sent.on('error', () => resolve());
      sent.write(archive.subarray(0, 1_000));
      void waitForActiveRequest().then(() => sent.destroy(new Error('cut')));
    });
  }
  const directory = join(system.courses.directory, 'import');
  await waitFor(async () => (await readdir(directory)).length === 0);
  expect(await system.counts()).toEqual(before);
  expect(system.courses.log()).not.toContain('request failed');
});

test('a dry run without auth is 503 and leaves no rows of the plan', async () => {
  const archive = await archiveOf(schoolOf('away', 1));
  system.auth.kill('SIGSTOP');
  try {
    expect((await system.dryRun(archive)).status).toBe(503);
  } finally {
    system.auth.kill('SIGCONT');
  }
  const rows = await system.database.query(
    "SELECT sourced_id FROM courses.import_rows WHERE sourced_id LIKE 'away%'",
  );
  expect(rows).toEqual([]);
});
