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

const exportCourse = (id = courseId) =>
  system.call('GET', `${system.courses.url}/api/v3/admin/courses/${id}/submissions.zip`);

describe('the export of a course with REAUTHENTICATION=required', () => {
  test('the export is 403 until the session re-authenticates at auth', async () => {
    expect(await exportCourse()).toMatchObject({
      status: 403,
      body: { message: 'Reauthentication Required', errors: null },
    });
    expect((await exportCourse(999_999)).status).toBe(404);
    const { password } = administrator;
    const reauthenticate = `${system.auth.url}/api/v3/reauthenticate`;
    expect((await system.call('POST', reauthenticate, { body: { password } })).status).toBe(200);
    expect((await exportCourse()).status).toBe(200);
  });

  test('the export is 503 while auth is unreachable, also for a session that re-authenticated', async () => {
    await system.auth.stop();
    expect((await exportCourse()).status).toBe(503);
  });
});
