import { auditEvents } from '@gradeway/test/auditEvents';
import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { userState } from '@gradeway/test/userEvents';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

const pathOf = (courseId: number | string, studentId: number | string) =>
  `/api/v3/grading/courses/${courseId}/accommodations/${studentId}`;
const notFound = { status: 404, body: { message: 'Not Found', errors: null } };
const forbidden = { status: 403, body: { message: 'Unauthorized Access', errors: null } };
const invalid = (field: string) => ({
  status: 422,
  body: { message: 'Invalid Data', errors: { [field]: expect.any(Array) } },
});

async function newScene() {
  const courseId = await courses.createCourse();
  const teacher = await courses.createInstructor([courseId], { firstName: 'Emmy', lastName: 'Noether' });
  const student = await courses.createStudent(courseId, { email: 'ada@school.example' });
  const path = pathOf(courseId, student.id);
  const put = (body: unknown, token = teacher.token) => courses.request('PUT', path, token, body);
  const get = (token = teacher.token) => courses.get(path, token);
  const remove = (token = teacher.token) => courses.request('DELETE', path, token);
  return { courseId, teacher, student, path, put, get, remove };
}

test('a teacher sets, reads, replaces and removes the accommodation of a student', async () => {
  const { teacher, student, put, get, remove } = await newScene();
  expect(await get()).toMatchObject(notFound);
  const set = await put({ time_factor: 1.15, note: 'Dyslexia' });
  expect(set).toMatchObject({
    status: 200,
    body: {
      data: {
        student: { id: student.id, name: 'Ada Lovelace', email: 'ada@school.example' },
        time_factor: 1.15,
        note: 'Dyslexia',
        changed_by: { id: teacher.id, name: 'Emmy Noether' },
        changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    },
  });
  expect((await get()).body).toEqual(set.body);
  expect((await put({ time_factor: '2' })).body).toMatchObject({ data: { time_factor: 2, note: null } });
  for (let time = 0; time < 2; time += 1) expect((await remove()).status).toBe(204);
  expect(await get()).toMatchObject(notFound);
});

test('an accommodation names the administrator who changed it, even if the account was not loaded before', async () => {
  const { put } = await newScene();
  const admin = courses.createAccount({ role: 'admin', firstName: 'Grace', lastName: 'Hopper' });
  expect((await put({ time_factor: 1 }, admin.token)).body).toMatchObject({
    data: { changed_by: { id: admin.id, name: 'Grace Hopper' } },
  });
});

test('each change to an accommodation is audited without its note', async () => {
  const { courseId, teacher, student, put, remove } = await newScene();
  await put({ time_factor: 1.25, note: 'Secret diagnosis' });
  await put({ time_factor: 1.25, note: 'Secret diagnosis' });
  await put({ time_factor: 1.5, note: 'Secret diagnosis' });
  await remove();
  const object = { object_type: 'enrollment', object_id: `${courseId}/${student.id}` };
  const entries = (await auditEvents(courses.database, 'courses', object)).slice(1);
  expect(entries).toMatchObject([
    {
      action: 'accommodation.changed',
      actor_id: teacher.id,
      changes: { time_factor: [null, 1.25], note: [null, '(other text)'] },
    },
    { action: 'accommodation.changed', changes: { time_factor: [1.25, 1.5] } },
    { action: 'accommodation.removed', changes: { time_factor: [1.5, null], note: ['(text)', null] } },
  ]);
  expect(JSON.stringify(entries)).not.toContain('Secret');
});

test.each([undefined, null, 0.99, 4.01, 1.005, 'x', true])('a time factor of %j is 422', async (factor) => {
  const { put } = await newScene();
  expect(await put({ time_factor: factor })).toMatchObject(invalid('time_factor'));
});

test('a note that is too long is 422', async () => {
  const { put } = await newScene();
  expect(await put({ time_factor: 1, note: 'x'.repeat(1_001) })).toMatchObject(invalid('note'));
});

test('a student who is not enrolled is 422, and one who has not paid may have an accommodation', async () => {
  const { courseId, teacher } = await newScene();
  const ended = await courses.createStudent(courseId);
  await courses.request('DELETE', `/api/v3/admin/courses/${courseId}/students/${ended.id}`);
  const put = (id: number | string) =>
    courses.request('PUT', pathOf(courseId, id), teacher.token, { time_factor: 2 });
  for (const id of [ended.id, courses.createAccount().id, teacher.id, 99_999])
    expect(await put(id)).toMatchObject(invalid('student_id'));
  expect(await put('x')).toMatchObject(notFound);
  const unpaid = await courses.createStudent(courseId, { paid: false });
  expect((await put(unpaid.id)).status).toBe(200);
});

test('for accommodations a grader gets 403, another instructor 404, a student 403, and a request without a token 401', async () => {
  const { courseId, student, put, get, remove } = await newScene();
  const grader = await courses.createInstructor([courseId]);
  const asGrader = `/api/v3/admin/courses/${courseId}/instructors/${grader.id}`;
  await courses.request('PUT', asGrader, courses.admin, { role: 'grader' });
  const stranger = await courses.createInstructor([]);
  for (const send of [get, remove, (token: string) => put({ time_factor: 9 }, token)]) {
    for (const { token } of [grader, student]) expect(await send(token)).toMatchObject(forbidden);
    expect(await send(stranger.token)).toMatchObject(notFound);
    expect((await send('')).status).toBe(401);
  }
});

test('an accommodation survives the end of an enrollment, but not the deletion of the account', async () => {
  const { courseId, student, put, get } = await newScene();
  await put({ time_factor: 1.5 });
  const enrollment = `/api/v3/admin/courses/${courseId}/students/${student.id}`;
  await courses.request('DELETE', enrollment);
  expect((await get()).status).toBe(200);
  await courses.sendEvent('user.deleted.v1', userState({ user_id: student.id, revision: 2 }));
  expect(await get()).toMatchObject(notFound);
});

test('an accommodation that waits for the deletion of the account is not saved', async () => {
  const { student, put, get } = await newScene();
  const answer = await changeWhileWaiting({
    database: courses.database,
    schema: 'courses',
    lock: `SELECT FROM roster WHERE user_id = ${student.id} FOR UPDATE`,
    send: () => put({ time_factor: 1.5 }),
    change: `UPDATE roster SET is_enrolled = false WHERE user_id = ${student.id}`,
  });
  expect(answer).toMatchObject(invalid('student_id'));
  expect(await get()).toMatchObject(notFound);
});
