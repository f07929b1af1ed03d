import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoursesService, type Student, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

interface One {
  data: { id: number; title: string };
}

const listPath = (courseId: number | string) => `/api/v3/grading/courses/${courseId}/classes`;
const classPath = (classId: number | string) => `/api/v3/grading/classes/${classId}`;
const notFound = { status: 404, body: { message: 'Not Found', errors: null } };
const forbidden = { status: 403, body: { message: 'Unauthorized Access', errors: null } };

async function newGrader(courseId: number): Promise<Student> {
  const grader = await courses.createInstructor([courseId]);
  const path = `/api/v3/admin/courses/${courseId}/instructors/${grader.id}`;
  await courses.request('PUT', path, courses.admin, { role: 'grader' });
  return grader;
}

test('a teacher creates, lists, changes and deletes the classes of their course like an administrator', async () => {
  const courseId = await courses.createCourse();
  const { token } = await courses.createInstructor([courseId]);
  const created = await courses.request<One>('POST', listPath(courseId), token, { title: 'Groups' });
  expect(created).toMatchObject({ status: 201, body: { data: { course_id: courseId, title: 'Groups' } } });
  const { id } = created.body.data;
  expect(await courses.request('PATCH', classPath(id), token, { title: 'Rings' })).toMatchObject({
    status: 200,
    body: { data: { id, title: 'Rings' } },
  });
  const listed = await courses.get<unknown>(listPath(courseId), token);
  const admins = await courses.get<unknown>(`/api/v3/admin/courses/${courseId}/classes`);
  expect(JSON.stringify(listed.body)).toBe(JSON.stringify(admins.body).replaceAll('/admin/', '/grading/'));
  expect((await courses.request('DELETE', classPath(id), token)).status).toBe(204);
  expect(await courses.request('DELETE', classPath(id), token)).toMatchObject(notFound);
  const types = (await courses.outboxEvents('class.%', { course_id: courseId })).map(({ type }) => type);
  expect(types).toEqual(['class.changed.v1', 'class.changed.v1', 'class.deleted.v1']);
});

test('a grader lists the classes of a course and gets 403 for every change', async () => {
  const courseId = await courses.createCourse();
  const classId = await courses.createClass(courseId);
  const { token } = await newGrader(courseId);
  expect((await courses.get(listPath(courseId), token)).body).toMatchObject({ data: [{ id: classId }] });
  expect(await courses.request('POST', listPath(courseId), token, {})).toMatchObject(forbidden);
  expect(await courses.request('PATCH', classPath(classId), token, { title: '' })).toMatchObject(forbidden);
  expect(await courses.request('DELETE', classPath(classId), token)).toMatchObject(forbidden);
});

test('the classes of a course that an instructor does not teach are 404, and a student gets 403', async () => {
  const courseId = await courses.createCourse();
  const classId = await courses.createClass(courseId);
  const { token } = await courses.createInstructor([await courses.createCourse()]);
  const student = await courses.createStudent(courseId);
  for (const [method, path, body] of [
    ['GET', `${listPath(courseId)}?page=0`, undefined],
    ['POST', listPath(courseId), {}],
    ['PATCH', classPath(classId), { title: '' }],
    ['DELETE', classPath(classId), undefined],
  ] as const) {
    expect(await courses.request(method, path, token, body)).toMatchObject(notFound);
    expect(await courses.request(method, path, student.token, body)).toMatchObject(forbidden);
    expect((await courses.request(method, path, '', body)).status).toBe(401);
  }
  for (const unknown of [2_000_000_000, 'x'])
    expect(await courses.request('DELETE', classPath(unknown), courses.admin)).toMatchObject(notFound);
});

test('an invalid title of a class is 422', async () => {
  const courseId = await courses.createCourse();
  const classId = await courses.createClass(courseId);
  const { token } = await courses.createInstructor([courseId]);
  const invalid = { status: 422, body: { message: 'Invalid Data', errors: { title: expect.any(Array) } } };
  expect(await courses.request('POST', listPath(courseId), token, {})).toMatchObject(invalid);
  expect(await courses.request('PATCH', classPath(classId), token, { title: ' ' })).toMatchObject(invalid);
});
