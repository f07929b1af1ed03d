import { auditEvents } from '@gradeway/test/auditEvents';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

type Role = 'teacher' | 'grader';

const teamPath = (courseId: number | string) => `/api/v3/grading/courses/${courseId}/instructors`;
const adminPath = (courseId: number, userId: number) =>
  `/api/v3/admin/courses/${courseId}/instructors/${userId}`;
const put = (courseId: number | string, userId: number | string, token: string, body?: unknown) =>
  courses.request('PUT', `${teamPath(courseId)}/${userId}`, token, body);
const remove = (courseId: number | string, userId: number | string, token: string) =>
  courses.request('DELETE', `${teamPath(courseId)}/${userId}`, token);
const asAdmin = (courseId: number, userId: number, body?: unknown) =>
  courses.request('PUT', adminPath(courseId, userId), courses.admin, body);
const rolesOf = async (courseId: number) => {
  const { body } = await courses.get<{ data: { id: number; role: Role }[] }>(teamPath(courseId));
  return Object.fromEntries(body.data.map(({ id, role }) => [id, role]));
};
const notFound = { status: 404, body: { message: 'Not Found', errors: null } };
const forbidden = { status: 403, body: { message: 'Unauthorized Access', errors: null } };
const lastTeacher = { status: 409, body: { message: 'A course keeps one teacher', errors: null } };

/** A course with a teacher and a grader. */
async function newTeam() {
  const courseId = await courses.createCourse();
  const teacher = await courses.createInstructor([courseId], { firstName: 'Emmy', lastName: 'Noether' });
  const grader = await courses.createInstructor([courseId], { firstName: 'Emil', lastName: 'Artin' });
  await asAdmin(courseId, grader.id, { role: 'grader' });
  return { courseId, teacher, grader };
}

describe('the role of an instructor', () => {
  test('an assignment gets the requested role, keeps its role if none is requested, and defaults to teacher', async () => {
    const courseId = await courses.createCourse();
    const { id } = courses.createAccount({ role: 'instructor' });
    for (const [body, role] of [
      [undefined, 'teacher'],
      [{ role: 'grader' }, 'grader'],
      [undefined, 'grader'],
      [{}, 'grader'],
      [{ role: 'teacher' }, 'teacher'],
      [{ role: 'grader' }, 'grader'],
    ] as const)
      expect(await asAdmin(courseId, id, body)).toMatchObject({
        status: 200,
        body: { data: { course_id: courseId, user_id: id, role } },
      });
    await courses.request('DELETE', adminPath(courseId, id));
    expect((await asAdmin(courseId, id)).body).toMatchObject({ data: { role: 'teacher' } });
  });

  test('a role change publishes an event and creates an audit entry; a repetition does not', async () => {
    const { courseId, grader } = await newTeam();
    await asAdmin(courseId, grader.id, { role: 'grader' });
    await asAdmin(courseId, grader.id, { role: 'teacher' });
    const about = { course_id: courseId, user_id: grader.id };
    const type = 'course.instructor.assigned.v1';
    expect(await courses.outboxEvents('course.instructor.%', about)).toEqual([
      { type, data: { ...about, role: 'teacher', revision: 1 } },
      { type, data: { ...about, role: 'grader', revision: 2 } },
      { type, data: { ...about, role: 'teacher', revision: 3 } },
    ]);
    const object = { object_type: 'instructor', object_id: `${courseId}/${grader.id}` };
    expect((await auditEvents(courses.database, 'courses', object)).slice(1)).toMatchObject([
      { action: 'instructor.assigned', changes: { role: ['teacher', 'grader'] } },
      { action: 'instructor.assigned', changes: { role: ['grader', 'teacher'] } },
    ]);
  });

  test.each(['admin', 1, null, ''])('the role %j is 422', async (role) => {
    const { courseId, teacher, grader } = await newTeam();
    const invalid = { status: 422, body: { message: 'Invalid Data', errors: { role: expect.any(Array) } } };
    expect(await asAdmin(courseId, grader.id, { role })).toMatchObject(invalid);
    expect(await put(courseId, grader.id, teacher.token, { role })).toMatchObject(invalid);
    expect(await asAdmin(courseId, 99_999, { role })).toMatchObject(notFound);
  });

  test("the courses of a grader show the grader's role in each, and an administrator is a teacher in all of them", async () => {
    const { courseId, grader } = await newTeam();
    const own = await courses.createCourse('AAA own');
    await asAdmin(own, grader.id);
    const list = async (token: string) => {
      const path = '/api/v3/grading/courses?per_page=200';
      const { body } = await courses.get<{ data: { id: number; role: Role }[] }>(path, token);
      return new Map(body.data.map(({ id, role }) => [id, role]));
    };
    expect([...(await list(grader.token))]).toEqual([
      [own, 'teacher'],
      [courseId, 'grader'],
    ]);
    expect((await list(courses.admin)).get(courseId)).toBe('teacher');
  });
});

describe('a teacher’s team', () => {
  test('a teacher lists, assigns and removes the instructors of their course like an administrator', async () => {
    const { courseId, teacher, grader } = await newTeam();
    expect((await courses.get(teamPath(courseId), teacher.token)).body).toMatchObject({
      data: [
        { id: grader.id, name: 'Emil Artin', email: '', role: 'grader' },
        { id: teacher.id, name: 'Emmy Noether', email: '', role: 'teacher' },
      ],
      meta: { per_page: 50, total: 2 },
    });
    const other = courses.createAccount({ role: 'instructor' });
    expect(await put(courseId, other.id, teacher.token, { role: 'grader' })).toMatchObject({
      status: 200,
      body: { data: { course_id: courseId, user_id: other.id, role: 'grader' } },
    });
    for (let time = 0; time < 2; time += 1)
      expect((await remove(courseId, grader.id, teacher.token)).status).toBe(204);
    expect(await rolesOf(courseId)).toEqual({ [teacher.id]: 'teacher', [other.id]: 'grader' });
    const object = { object_type: 'instructor', object_id: `${courseId}/${other.id}` };
    expect(await auditEvents(courses.database, 'courses', object)).toMatchObject([
      { action: 'instructor.assigned', actor_id: teacher.id, actor_role: 'instructor' },
    ]);
  });

  test('a teacher neither removes nor demotes the last teacher of a course', async () => {
    const { courseId, teacher, grader } = await newTeam();
    expect(await remove(courseId, teacher.id, teacher.token)).toMatchObject(lastTeacher);
    expect(await put(courseId, teacher.id, teacher.token, { role: 'grader' })).toMatchObject(lastTeacher);
    expect((await put(courseId, teacher.id, teacher.token, { role: 'teacher' })).status).toBe(200);
    await put(courseId, grader.id, teacher.token, { role: 'teacher' });
    expect((await put(courseId, teacher.id, teacher.token, { role: 'grader' })).status).toBe(200);
    expect(await rolesOf(courseId)).toEqual({ [teacher.id]: 'grader', [grader.id]: 'teacher' });
  });

  test.each(['removed', 'demoted'])('two teachers cannot both be %s by each other', async (how) => {
    const { courseId, teacher, grader } = await newTeam();
    await asAdmin(courseId, grader.id, { role: 'teacher' });
    const end = (id: number, token: string) =>
      how === 'removed' ? remove(courseId, id, token) : put(courseId, id, token, { role: 'grader' });
    const answers = await Promise.all([end(grader.id, teacher.token), end(teacher.id, grader.token)]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(Object.values(await rolesOf(courseId)).filter((role) => role === 'teacher')).toHaveLength(1);
  });

  test('an administrator may remove and demote the last teacher, including through the route for teachers', async () => {
    const { courseId, teacher } = await newTeam();
    expect((await asAdmin(courseId, teacher.id, { role: 'grader' })).status).toBe(200);
    await asAdmin(courseId, teacher.id, { role: 'teacher' });
    expect((await remove(courseId, teacher.id, courses.admin)).status).toBe(204);
  });

  test('a grader of the course gets 403 and another instructor 404, before anything else is checked', async () => {
    const { courseId, grader } = await newTeam();
    const stranger = await courses.createInstructor([]);
    const student = await courses.createStudent(courseId);
    for (const send of [
      (course: number | string, token: string) => courses.get(`${teamPath(course)}?page=0`, token),
      (course: number | string, token: string) => put(course, 99_999, token, { role: 'none' }),
      (course: number | string, token: string) => remove(course, 'x', token),
    ]) {
      expect(await send(courseId, grader.token)).toMatchObject(forbidden);
      expect(await send(courseId, student.token)).toMatchObject(forbidden);
      expect(await send(courseId, stranger.token)).toMatchObject(notFound);
      for (const unknown of [2_000_000_000, 'x'])
        for (const token of [grader.token, courses.admin])
          expect(await send(unknown, token)).toMatchObject(notFound);
      expect((await send(courseId, '')).status).toBe(401);
    }
  });

  test('an unknown account is 404, and an account without the instructor role is 422', async () => {
    const { courseId, teacher } = await newTeam();
    expect(await put(courseId, 99_999, teacher.token)).toMatchObject(notFound);
    const student = await courses.createStudent(courseId);
    expect(await put(courseId, student.id, teacher.token)).toMatchObject({
      status: 422,
      body: { errors: { user_id: ['The user must be an instructor.'] } },
    });
  });
});
