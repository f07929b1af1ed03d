import { auditEvents } from '@gradeway/test/auditEvents';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from './coursesService.ts';
import { type FakeSubmissionServices, startFakeSubmissionServices } from './fakeSubmissionServices.ts';

let services: FakeSubmissionServices;
let courses: CoursesService;
beforeAll(async () => {
  services = await startFakeSubmissionServices();
  courses = await startCoursesService({
    ...services.env,
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '1',
  });
});
afterAll(async () => {
  await courses.close();
  await services.close();
});

const send = (method: string, path: string, body?: unknown) =>
  courses.request<{ data: { id: number } }>(method, `/api/v3/admin/${path}`, courses.admin, body);
const about = (object_type: string, id: number | string) =>
  auditEvents(courses.database, 'courses', { object_type, object_id: String(id) });

test('creating, changing and deleting a course is audited', async () => {
  const id = await courses.createCourse('Algebra');
  const { headers } = await send('PATCH', `courses/${id}`, { title: 'Geometry' });
  await send('PATCH', `courses/${id}`, { title: 'Geometry' });
  await send('DELETE', `courses/${id}`);
  const [created, updated, deleted, ...others] = await about('course', id);
  expect(others).toEqual([]);
  expect(created).toMatchObject({ action: 'course.created', changes: { title: [null, 'Algebra'] } });
  expect(updated).toEqual({
    entry_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    actor_id: 1,
    actor_role: 'admin',
    session_id: expect.any(Number),
    address: '127.0.0.1',
    action: 'course.updated',
    object_type: 'course',
    object_id: String(id),
    changes: { title: ['Algebra', 'Geometry'] },
    request_id: headers.get('x-request-id'),
  });
  expect(deleted).toMatchObject({ action: 'course.deleted', changes: { title: ['Geometry', null] } });
});

test('creating, changing and deleting a class is audited', async () => {
  const courseId = await courses.createCourse();
  const id = await courses.createClass(courseId, 'First');
  await send('PATCH', `classes/${id}`, { title: 'Second' });
  await send('DELETE', `classes/${id}`);
  expect(await about('class', id)).toMatchObject([
    { action: 'class.created', changes: { course_id: [null, courseId], title: [null, 'First'] } },
    { action: 'class.updated', changes: { title: ['First', 'Second'] } },
    { action: 'class.deleted', changes: { title: ['Second', null] } },
  ]);
});

test('each change to an enrollment is audited, but not a request that changes nothing', async () => {
  const courseId = await courses.createCourse();
  const { id } = await courses.createStudent(courseId, { paid: false });
  for (const paid of [false, true]) await send('PUT', `courses/${courseId}/students/${id}`, { paid });
  await send('DELETE', `courses/${courseId}/students/${id}`);
  expect((await send('DELETE', `courses/${courseId}/students/${id}`)).status).toBe(404);
  expect(await about('enrollment', `${courseId}/${id}`)).toMatchObject([
    { action: 'enrollment.changed', changes: { is_enrolled: [false, true] } },
    { action: 'enrollment.changed', changes: { paid: [false, true] } },
    { action: 'enrollment.deleted', changes: { is_enrolled: [true, false] } },
  ]);
});

test('exports are audited, but not HEAD requests for them', async () => {
  const id = await courses.createCourse();
  await courses.get(`/api/v3/admin/courses/${id}/gradebook`);
  await courses.request('HEAD', `/api/v3/admin/courses/${id}/submissions.zip`);
  await courses.get(`/api/v3/admin/courses/${id}/gradebook?format=csv`);
  await courses.get(`/api/v3/admin/courses/${id}/submissions.zip`);
  expect((await about('course', id)).map(({ action }) => action)).toEqual([
    'course.created',
    'gradebook.exported',
    'archive.exported',
  ]);
});

test('each change to a webhook is audited without its secret and the path of its URL', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const webhook = {
    url: 'https://127.0.0.1:9/services/token-of-the-receiver?key=1',
    event_types: ['user.changed.v1'],
    secret,
  };
  const { status, body } = await send('POST', 'webhooks', webhook);
  expect(status, JSON.stringify(body)).toBe(201);
  const { id } = body.data;
  await send('PATCH', `webhooks/${id}`, { url: 'https://127.0.0.1:9/another-token', description: 'Office' });
  await send('POST', `webhooks/${id}/rotate-secret`, {});
  await send('POST', `webhooks/${id}/test`);
  await send('POST', `webhooks/${id}/replay`, { since: '2026-01-01T00:00:00' });
  await send('DELETE', `webhooks/${id}`);
  const entries = await about('webhook', id);
  const origin = 'https://127.0.0.1:9';
  expect(entries).toMatchObject([
    {
      action: 'webhook.created',
      changes: { url: [null, origin], event_types: [null, ['user.changed.v1']], is_active: [null, true] },
    },
    { action: 'webhook.updated', changes: { url: [origin, origin], description: [null, 'Office'] } },
    { action: 'webhook.secret_rotated', changes: null },
    { action: 'webhook.tested', changes: null },
    { action: 'webhook.replayed', changes: null },
    { action: 'webhook.deleted', changes: { url: [origin, null] } },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/whsec|token|key/);
});
