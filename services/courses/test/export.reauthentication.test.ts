import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeSubmissionServices, startFakeSubmissionServices } from './fakeSubmissionServices.ts';
import { administrator, type ImportSystem, startImportSystem } from './importSystem.ts';

let services: FakeSubmissionServices;
let system: ImportSystem;
let courseId: number;
beforeAll(async () => {
  services = await startFakeSubmissionServices();
  system = await startImportSystem({ ...services.env, REAUTHENTICATION: 'required' });
  const path = `${system.courses.url}/api/v3/admin/courses`;
  courseId = (await system.call('POST', path, { body: { title: 'Algebra' } })).body.data.id;
});
afterAll(async () => {
  await system.close();
  await services.close();
});

/** Each test has a separate session, because re-authentication is a state of the session. */
async function newSession(): Promise<string> {
  const { email, password } = administrator;
  const answer = await system.call('POST', `${system.auth.url}/api/v3/login`, {
    token: null,
    body: { email, password },
  });
  return answer.body.access_token;
}
const reauthenticate = (token: string) =>
  system.call('POST', `${system.auth.url}/api/v3/reauthenticate`, {
    token,
    body: { password: administrator.password },
  });
const exportCourse = (token: string, id = courseId) =>
  system.call('GET', `${system.courses.url}/api/v3/admin/courses/${id}/submissions.zip`, { token });

describe('the export of a course with REAUTHENTICATION=required', () => {
  test('the export is 403 until the session re-authenticates at auth', async () => {
    const token = await newSession();
    expect(await exportCourse(token)).toMatchObject({
      status: 403,
      body: { message: 'Reauthentication Required', errors: null },
    });
    expect((await exportCourse(token, 999_999)).status).toBe(404);
    expect((await reauthenticate(token)).status).toBe(200);
    expect((await exportCourse(token)).status).toBe(200);
  });

  test('the export is 503 while auth is unreachable, even for a session that re-authenticated', async () => {
    const token = await newSession();
    expect((await reauthenticate(token)).status).toBe(200);
    system.auth.kill('SIGKILL');
    expect((await exportCourse(token)).status).toBe(503);
    await system.auth.start();
    await waitFor(async () => (await exportCourse(token)).status === 200);
  });
});
