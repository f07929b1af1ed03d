import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService({ APP_TIMEZONE: 'Asia/Tokyo' });
});
afterAll(() => courses.close());

const rfc3339 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test('a course publishes its creation, changes and deletion with increasing revisions', async () => {
  const id = await courses.createCourse('Algebra');
  const path = `/api/v3/admin/courses/${id}`;
  await courses.request('PATCH', path, courses.admin, { description: 'Rings' });
  await courses.request('PATCH', path, courses.admin, { description: 'Rings', title: 'Algebra' });
  await courses.request('PATCH', path, courses.admin, {});
  await courses.request('DELETE', path);
  const state = { id, title: 'Algebra', created_at: rfc3339 };
  expect(await courses.outboxEvents('course.%', { id })).toEqual([
    { type: 'course.changed.v1', data: { ...state, description: null, revision: 1 } },
    { type: 'course.changed.v1', data: { ...state, description: 'Rings', revision: 2 } },
    { type: 'course.deleted.v1', data: { ...state, description: 'Rings', revision: 3 } },
  ]);
});

test('a class publishes its creation, changes and deletion with increasing revisions', async () => {
  const courseId = await courses.createCourse();
  const id = await courses.createClass(courseId, 'Intro');
  const path = `/api/v3/admin/classes/${id}`;
  await courses.request('PATCH', path, courses.admin, { title: 'Intro' });
  await courses.request('PATCH', path, courses.admin, { title: 'Introduction' });
  await courses.request('DELETE', path);
  const state = { id, course_id: courseId, created_at: rfc3339 };
  expect(await courses.outboxEvents('class.%', { id })).toEqual([
    { type: 'class.changed.v1', data: { ...state, title: 'Intro', revision: 1 } },
    { type: 'class.changed.v1', data: { ...state, title: 'Introduction', revision: 2 } },
    { type: 'class.deleted.v1', data: { ...state, title: 'Introduction', revision: 3 } },
  ]);
});

test('deleting a course keeps its classes and publishes no event for them', async () => {
  const courseId = await courses.createCourse();
  const id = await courses.createClass(courseId);
  await courses.request('DELETE', `/api/v3/admin/courses/${courseId}`);
  expect(await courses.outboxEvents('class.deleted.v1', { id })).toEqual([]);
});

test('concurrent changes are all applied, each with its own revision', async () => {
  const id = await courses.createCourse();
  const path = `/api/v3/admin/courses/${id}`;
  const titles = Array.from({ length: 10 }, (_, index) => `Title ${index}`);
  const answers = await Promise.all(
    titles.map((title) => courses.request('PATCH', path, courses.admin, { title })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const events = await courses.outboxEvents('course.changed.v1', { id });
  expect(events.map(({ data }) => data.revision)).toEqual(
    Array.from({ length: 11 }, (_, index) => index + 1),
  );
  const { body } = await courses.get<{ data: { title: string } }>(path);
  expect(body.data.title).toBe(events.at(-1)?.data.title);
});

test('only one of several concurrent deletions succeeds', async () => {
  const path = `/api/v3/admin/courses/${await courses.createCourse()}`;
  const answers = await Promise.all([1, 2, 3, 4].map(() => courses.request('DELETE', path)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404]);
});

test('the outbox publishes CloudEvents with this service as their source', async () => {
  const id = await courses.createCourse();
  const query = "SELECT body, sent_at FROM courses.outbox WHERE body->>'subject' = $1";
  const subject = `courses/${id}`;
  await waitFor(async () => (await courses.database.query<{ sent_at: Date }>(query, [subject]))[0]?.sent_at);
  const [row] = await courses.database.query<{ body: object }>(query, [subject]);
  expect(row?.body).toMatchObject({
    specversion: '1.0',
    source: '/services/courses',
    type: 'course.changed.v1',
    subject,
    id: expect.any(String),
    time: rfc3339,
    datacontenttype: 'application/json',
  });
});
