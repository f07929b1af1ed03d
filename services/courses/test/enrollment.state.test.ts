import { userState } from '@gradeway/test/userEvents';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, type Student, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

const pathOf = (courseId: number, userId: number) => `/api/v3/admin/courses/${courseId}/students/${userId}`;
const enroll = (courseId: number, userId: number, body: unknown) =>
  courses.request('PUT', pathOf(courseId, userId), courses.admin, body);
const end = (courseId: number, userId: number) => courses.request('DELETE', pathOf(courseId, userId));
const told = (courseId: number, userId: number) =>
  courses.outboxEvents('enrollment.%', { course_id: courseId, user_id: userId });
const ownCourses = async (student: Student) => {
  const { body } = await courses.get<{ data: unknown[] }>('/api/v3/courses', student.token);
  return body.data;
};
const studentCount = async (courseId: number) => {
  const path = `/api/v3/admin/courses/${courseId}/students`;
  const { body } = await courses.get<{ data: unknown[]; meta: { total: number } }>(path);
  expect(body.meta.total).toBe(body.data.length);
  return body.meta.total;
};
const notFound = { status: 404, body: { message: 'Not Found', errors: null } };

describe('enrolling', () => {
  test('enrolling returns 200 with the enrollment, and the course appears in the student’s list', async () => {
    const courseId = await courses.createCourse('Algebra');
    const student = courses.createAccount();
    expect(await enroll(courseId, student.id, { paid: false })).toMatchObject({
      status: 200,
      body: { data: { course_id: courseId, user_id: student.id, paid: false } },
    });
    expect(await ownCourses(student)).toEqual([{ id: courseId, title: 'Algebra', paid: false }]);
    expect(await studentCount(courseId)).toBe(1);
  });

  test('every change publishes one event, with revisions that increase across an end', async () => {
    const courseId = await courses.createCourse();
    const { id } = courses.createAccount();
    await enroll(courseId, id, { paid: false });
    await enroll(courseId, id, { paid: false });
    await enroll(courseId, id, { paid: true });
    await enroll(courseId, id, { paid: true });
    expect((await end(courseId, id)).status).toBe(204);
    await enroll(courseId, id, { paid: true });
    const about = { course_id: courseId, user_id: id };
    expect(await told(courseId, id)).toEqual([
      { type: 'enrollment.changed.v1', data: { ...about, paid: false, revision: 1 } },
      { type: 'enrollment.changed.v1', data: { ...about, paid: true, revision: 2 } },
      { type: 'enrollment.deleted.v1', data: { ...about, paid: true, revision: 3 } },
      { type: 'enrollment.changed.v1', data: { ...about, paid: true, revision: 4 } },
    ]);
    expect(await studentCount(courseId)).toBe(1);
  });

  test.each([
    ['nothing', {}, 'The paid field is required.'],
    ['null', { paid: null }, 'The paid field is required.'],
    ['text', { paid: 'yes' }, 'The paid field must be true or false.'],
    ['a number', { paid: 1 }, 'The paid field must be true or false.'],
  ])('enrolling with %s for paid is 422', async (_, body, sentence) => {
    const answer = await enroll(await courses.createCourse(), courses.createAccount().id, body);
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'Invalid Data', errors: { paid: [sentence] } },
    });
  });

  test('an account unknown to auth is 404 and stores nothing', async () => {
    const courseId = await courses.createCourse();
    for (const id of [99_999, 2_147_483_648])
      expect(await enroll(courseId, id, { paid: true })).toMatchObject(notFound);
    expect(
      await courses.database.query('SELECT FROM courses.roster WHERE course_id = $1', [courseId]),
    ).toEqual([]);
  });

  test('a course that does not exist is 404', async () => {
    const { id } = courses.createAccount();
    expect(await enroll(2_000_000_000, id, { paid: true })).toMatchObject(notFound);
  });

  test('an account whose deletion was received is 404, even while auth still returns it', async () => {
    const courseId = await courses.createCourse();
    const { id } = courses.createAccount();
    await courses.sendEvent('user.deleted.v1', userState({ user_id: id, revision: 5 }));
    expect(await enroll(courseId, id, { paid: true })).toMatchObject(notFound);
    expect(await studentCount(courseId)).toBe(0);
  });
});

describe('ending an enrollment', () => {
  test('ending an enrollment that does not exist or has ended is 404', async () => {
    const courseId = await courses.createCourse();
    const { id } = await courses.createStudent(courseId);
    expect((await end(courseId, id)).status).toBe(204);
    expect(await end(courseId, id)).toMatchObject(notFound);
    expect(await end(courseId, 99_999)).toMatchObject(notFound);
    expect(await told(courseId, id)).toHaveLength(2);
  });

  test('ending an enrollment removes the course from the student’s list', async () => {
    const courseId = await courses.createCourse();
    const student = await courses.createStudent(courseId);
    await end(courseId, student.id);
    expect(await ownCourses(student)).toEqual([]);
    expect(await studentCount(courseId)).toBe(0);
  });
});

describe('concurrent calls', () => {
  test('concurrent enrollments of one student create one enrollment and lose no revision', async () => {
    const courseId = await courses.createCourse();
    const { id } = courses.createAccount();
    const wanted = Array.from({ length: 12 }, (_, index) => ({ paid: index % 2 === 0 }));
    const answers = await Promise.all(wanted.map((body) => enroll(courseId, id, body)));
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 200));
    const revisions = (await told(courseId, id)).map(({ data }) => data.revision);
    expect(revisions).toEqual(revisions.map((_, index) => index + 1));
    expect(await studentCount(courseId)).toBe(1);
  });

  test('concurrent enrollments of many students in one course are all counted', async () => {
    const courseId = await courses.createCourse();
    const accounts = Array.from({ length: 20 }, () => courses.createAccount());
    const answers = await Promise.all(accounts.map(({ id }) => enroll(courseId, id, { paid: true })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await studentCount(courseId)).toBe(20);
  });

  test('enrolling and ending enrollments concurrently never fails, and the last event matches the final state', async () => {
    const courseId = await courses.createCourse();
    const student = courses.createAccount();
    const calls = Array.from({ length: 16 }, (_, index) =>
      index % 2 === 0 ? enroll(courseId, student.id, { paid: true }) : end(courseId, student.id),
    );
    for (const { status } of await Promise.all(calls)) expect([200, 204, 404]).toContain(status);
    const events = await told(courseId, student.id);
    expect(events.map(({ data }) => data.revision)).toEqual(events.map((_, index) => index + 1));
    const isEnrolled = events.at(-1)?.type === 'enrollment.changed.v1';
    expect(await ownCourses(student)).toHaveLength(isEnrolled ? 1 : 0);
    expect(await studentCount(courseId)).toBe(isEnrolled ? 1 : 0);
  });

  test('a name that changes during enrollments in many courses is updated in all of them', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => courses.createCourse()));
    const { id } = courses.createAccount({ firstName: 'Old', lastName: 'Name' });
    const renamed = courses.sendEvent(
      'user.changed.v1',
      userState({ user_id: id, first_name: 'New', revision: 9 }),
    );
    await Promise.all([renamed, ...ids.map((courseId) => enroll(courseId, id, { paid: true }))]);
    const names = await courses.database.query(
      'SELECT DISTINCT first_name FROM courses.roster WHERE user_id = $1',
      [id],
    );
    expect(names).toEqual([{ first_name: 'New' }]);
  });
});

describe('own courses', () => {
  test('own courses are listed newest first in pages', async () => {
    const student = courses.createAccount();
    const made: { id: number; title: string; paid: boolean }[] = [];
    for (const title of ['One', 'Two', 'Three']) {
      const id = await courses.createCourse(title);
      await enroll(id, student.id, { paid: true });
      made.unshift({ id, title, paid: true });
    }
    const { body } = await courses.get<{ data: unknown[]; meta: object }>(
      '/api/v3/courses?per_page=2',
      student.token,
    );
    expect(body.data).toEqual(made.slice(0, 2));
    expect(body.meta).toMatchObject({ total: 3, last_page: 2 });
  });

  test('own courses exclude deleted courses', async () => {
    const courseId = await courses.createCourse();
    const student = await courses.createStudent(courseId);
    await courses.request('DELETE', `/api/v3/admin/courses/${courseId}`);
    expect(await ownCourses(student)).toEqual([]);
  });
});

describe('account deletion', () => {
  test('deleting an account ends all of its enrollments, with one event each, and no others', async () => {
    const ids = [await courses.createCourse(), await courses.createCourse(), await courses.createCourse()];
    const { id } = courses.createAccount();
    for (const courseId of ids) await enroll(courseId, id, { paid: courseId === ids[0] });
    await end(ids[2] ?? 0, id);
    const other = await courses.createStudent(ids[0] ?? 0);
    await courses.sendEvent('user.deleted.v1', userState({ user_id: id, revision: 2 }));
    expect(await courses.outboxEvents('enrollment.deleted.v1', { user_id: id })).toEqual(
      expect.arrayContaining(
        [ids[2], ids[0], ids[1]].map((course_id) => ({
          type: 'enrollment.deleted.v1',
          data: { course_id, user_id: id, paid: course_id === ids[0], revision: 2 },
        })),
      ),
    );
    expect(await courses.outboxEvents('enrollment.deleted.v1', { user_id: id })).toHaveLength(3);
    expect(await studentCount(ids[0] ?? 0)).toBe(1);
    expect(await studentCount(ids[1] ?? 0)).toBe(0);
    expect(await ownCourses(other)).toHaveLength(1);
  });
});
