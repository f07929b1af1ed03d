import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '@gradeway/test/childEnvironment';
import { unique } from '@gradeway/test/fixtures';
import { form, type HttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { archiveOf, type School, schoolOf } from '../../services/courses/test/oneRosterArchive.ts';
import { asAdmin, callAs, logIn, newStudent } from './fixtures.ts';

let admin: HttpClient;
beforeAll(async () => {
  admin = await asAdmin();
});

const archive = async (school: Partial<School>) =>
  form({ file: new Blob([new Uint8Array(await archiveOf(school))]) }, 'archive.zip');
const post = async (school: Partial<School>, query = '') =>
  admin.post(`/api/v3/admin/import${query}`, await archive(school));

describe('POST /admin/import', () => {
  test('a dry run is committed by its token: accounts can log in, and courses list their students', async () => {
    const mark = unique();
    const school = schoolOf(mark, 3);
    const [user] = school.users;
    if (user) user.password = 'the first password';
    Object.assign(school.courses[0] ?? {}, { title: `Algebra ${mark}` });

    const dryRun = await post(school, '?dry_run=1');
    expect([dryRun.status, dryRun.body.data.state, dryRun.body.data.rows.length]).toEqual([
      200,
      'planned',
      8,
    ]);
    expect((await admin.get(`/api/v3/admin/users?search=${mark}`)).body.meta.total).toBe(0);

    const committed = await admin.post('/api/v3/admin/import', { token: dryRun.body.data.token });
    expect([committed.status, committed.body.data.state]).toEqual([200, 'done']);
    const shown = await admin.get(`/api/v3/admin/import/${committed.body.data.id}`);
    expect(shown.body.data).toMatchObject({ state: 'done', summary: { users: { create: 3 } } });

    const student = await logIn(`${mark}-1@school.example`, 'the first password');
    expect(student.status).toBe(200);
    const own = await callAs(student.body.access_token).get('/api/v3/courses');
    expect(own.body.data).toMatchObject([{ title: `Algebra ${mark}`, paid: true }]);
    const students = await admin.get(`/api/v3/admin/courses/${own.body.data[0].id}/students`);
    expect(students.body.data.map(({ email }: { email: string }) => email)).toEqual(
      [1, 2, 3].map((n) => `${mark}-${n}@school.example`),
    );

    const again = await post(school);
    expect(new Set(again.body.data.rows.map(({ action }: { action: string }) => action))).toEqual(
      new Set(['unchanged']),
    );
  });

  test('invalid rows are reported by file and line, and nothing is changed', async () => {
    const mark = unique();
    const school = schoolOf(mark, 2);
    Object.assign(school.users[1] ?? {}, { email: `${mark}-1@school.example` });
    const message = `The email ${mark}-1@school.example is on several lines of users.csv: 2, 3.`;
    const dryRun = await post(school, '?dry_run=1');
    expect([dryRun.status, dryRun.body.data.token]).toEqual([200, null]);
    expect(dryRun.body.data.rows.slice(0, 2)).toMatchObject([
      { file: 'users.csv', line: 2, action: 'error', messages: [message] },
      { file: 'users.csv', line: 3, action: 'error', messages: [message] },
    ]);
    const refused = await post(school);
    expect([refused.status, refused.body.errors['users.csv:2'], refused.body.errors['users.csv:3']]).toEqual([
      ...[422, [message], [message]],
    ]);
    expect((await admin.get(`/api/v3/admin/users?search=${mark}`)).body.meta.total).toBe(0);
  });

  test('a token is refused with 409 when the data changed after its dry run', async () => {
    const mark = unique();
    const { body } = await post(schoolOf(mark, 1), '?dry_run=1');
    await admin.post('/api/v3/admin/users', {
      ...{ first_name: 'A', last_name: 'B', email: `${mark}-1@school.example`, role: 'user' },
      password: 'a good password',
    });
    expect((await admin.post('/api/v3/admin/import', { token: body.data.token })).status).toBe(409);
  });

  test('only administrators import', async () => {
    const teacher = await newStudent({ role: 'instructor' });
    expect((await teacher.post('/api/v3/admin/import', await archive(schoolOf(unique())))).status).toBe(403);
    expect((await callAs().post('/api/v3/admin/import', {})).status).toBe(401);
    expect((await teacher.get(`/api/v3/admin/import/${crypto.randomUUID()}`)).status).toBe(403);
    expect((await admin.get(`/api/v3/admin/import/${crypto.randomUUID()}`)).status).toBe(404);
    expect((await admin.post('/api/v3/admin/import', {})).status).toBe(422);
  });
});

describe('npm run import', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'gradeway-archive-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  const script = fileURLToPath(new URL('../../local/dist/importOneRoster.js', import.meta.url));
  const run = (...parameters: string[]) =>
    new Promise<{ code: number | null; output: string }>((resolve) => {
      const { baseUrl, adminEmail, adminPassword } = inject('system');
      const child = spawn(process.execPath, [script, '--url', baseUrl, ...parameters], {
        env: { ...childEnvironment, ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: adminPassword },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
      child.once('exit', (code) => resolve({ code, output }));
    });
  const file = async (school: Partial<School>) => {
    const path = join(directory, `${unique()}.zip`);
    await writeFile(path, await archiveOf(school));
    return path;
  };

  test('the command makes a dry run, and imports with --yes', async () => {
    const mark = unique();
    const path = await file(schoolOf(mark, 2));
    const count = async () => (await admin.get(`/api/v3/admin/users?search=${mark}`)).body.meta.total;
    expect(await run('--dry-run', path)).toMatchObject({
      code: 0,
      output: expect.stringContaining('2 create'),
    });
    expect(await count()).toBe(0);
    expect(await run(path)).toMatchObject({ code: 1, output: expect.stringContaining('pass --yes') });
    expect(await run('--yes', path)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Imported: 6 changes'),
    });
    await waitFor(async () => (await count()) === 2);
    expect(await run('--yes', path)).toMatchObject({
      code: 0,
      output: expect.stringContaining('nothing to do'),
    });
  });

  test('the command reports invalid rows, wrong usage and a refused login', async () => {
    const school = schoolOf(unique(), 1);
    Object.assign(school.users[0] ?? {}, { role: 'janitor' });
    const bad = await run(await file(school));
    expect(bad).toMatchObject({
      code: 1,
      output: expect.stringContaining('users.csv:2  The role must be one of'),
    });
    const broken = join(directory, 'broken.zip');
    await writeFile(broken, 'no archive');
    expect(await run(broken)).toMatchObject({
      code: 1,
      output: expect.stringContaining('must be a ZIP archive'),
    });
    expect(await run('--email', 'nobody@test.example', broken)).toMatchObject({
      code: 1,
      output: expect.stringContaining('These credentials do not match our records.'),
    });
    expect(await run('nothing.zip')).toMatchObject({
      code: 2,
      output: expect.stringContaining('nothing.zip'),
    });
    expect(await run('--help')).toMatchObject({ code: 0, output: expect.stringContaining('Exit codes') });
  });
});
