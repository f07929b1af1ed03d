import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImportSystem, startImportSystem } from './importSystem.ts';
import { archiveOf, type School, schoolOf } from './oneRosterArchive.ts';

let system: ImportSystem;
beforeAll(async () => {
  system = await startImportSystem();
});
afterAll(() => system.close());

const password = 'a good password';

async function importSchool(school: School): Promise<void> {
  const { status, body } = await system.send(await archiveOf(school));
  expect([status, body.data?.state], JSON.stringify(body)).toEqual([200, 'done']);
}

/** Imports a student, and issues a personal token for them. */
async function newStudentWithToken(mark: string) {
  const school = schoolOf(mark, 1);
  const [user] = school.users;
  if (!user) throw new Error('the school has no student');
  user.password = password;
  await importSchool(school);
  const atAuth = (path: string, body: object, token: string | null) =>
    system.call('POST', `${system.auth.url}/api/v3/${path}`, { token, body });
  const session = await atAuth('login', { email: user.email, password }, null);
  const wanted = { name: 'Laptop', scopes: ['grades:read'] };
  const issued = await atAuth('me/tokens', wanted, session.body.access_token);
  expect(issued.status).toBe(201);
  const { token } = issued.body.data;
  const statusAt = async (url: string) => (await system.call('GET', url, { token })).status;
  return {
    ...{ school, user },
    atAuth: () => statusAt(`${system.auth.url}/api/v3/me/token`),
    atCourses: () => statusAt(`${system.courses.url}/api/v3/grades`),
  };
}

test.each([
  ['blocks', { enabledUser: 'false' }],
  ['deletes', { status: 'tobedeleted' }],
  ['gives another role', { role: 'teacher' }],
])('personal tokens of an account that an import %s end in every service', async (what, change) => {
  const student = await newStudentWithToken(what.replaceAll(' ', '-'));
  expect([await student.atAuth(), await student.atCourses()]).toEqual([200, 200]);
  Object.assign(student.user, change);
  student.school.enrollments = [];
  await importSchool(student.school);
  expect(await student.atAuth()).toBe(401);
  await waitFor(async () => (await student.atCourses()) === 401);
});

test('personal tokens survive an import that changes only the name', async () => {
  const student = await newStudentWithToken('renamed');
  student.user.givenName = 'Augusta';
  await importSchool(student.school);
  expect([await student.atAuth(), await student.atCourses()]).toEqual([200, 200]);
});

test('only the commit of an import ends personal tokens, not its dry run', async () => {
  const student = await newStudentWithToken('planned');
  student.user.enabledUser = 'false';
  const planned = await system.dryRun(await archiveOf(student.school));
  expect(planned.body.data.state).toBe('planned');
  expect(await student.atAuth()).toBe(200);
  expect((await system.commit(planned.body.data.token)).body.data.state).toBe('done');
  expect(await student.atAuth()).toBe(401);
});
