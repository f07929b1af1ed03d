import { CoursesService as Definition } from '@gradeway/proto/courses';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { userState } from '@gradeway/test/userEvents';
import { credentials, status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
let client: ReturnType<typeof connect>;
let auth: ReturnType<typeof connect>;
beforeAll(async () => {
  courses = await startCoursesService();
  client = connect(serviceSecret);
  auth = connect(serviceSecret, 'auth');
});
afterAll(async () => {
  client.close();
  auth.close();
  await courses.close();
});

function connect(secret: string, caller: 'auth' | 'homework' = 'homework') {
  const address = courses.service.grpcAddress;
  return createGrpcClient(Definition, { address, secret, caller, callee: 'courses' });
}

const access = (userId: number, courseId: number, classId?: number) =>
  client.call('checkAccess', { userId, courseId, ...(classId === undefined ? {} : { classId }) });
const remove = (path: string) => courses.request('DELETE', `/api/v3/admin/${path}`);
const nothing = { courseExists: false, classExists: false, enrolled: false, paid: false, timePercent: 0 };

describe('CheckAccess', () => {
  test('CheckAccess returns whether a user is enrolled and has paid', async () => {
    const courseId = await courses.createCourse();
    const [paid, unpaid, stranger] = [
      await courses.createStudent(courseId, { paid: true }),
      await courses.createStudent(courseId, { paid: false }),
      courses.createAccount(),
    ];
    const exists = { ...nothing, courseExists: true };
    expect(await access(paid.id, courseId)).toEqual({ ...exists, enrolled: true, paid: true });
    expect(await access(unpaid.id, courseId)).toEqual({ ...exists, enrolled: true, paid: false });
    expect(await access(stranger.id, courseId)).toEqual(exists);
  });

  test('CheckAccess reflects the end of an enrollment immediately and no longer reports it as paid', async () => {
    const courseId = await courses.createCourse();
    const { id } = await courses.createStudent(courseId);
    await remove(`courses/${courseId}/students/${id}`);
    expect(await access(id, courseId)).toEqual({ ...nothing, courseExists: true });
  });

  test('CheckAccess returns whether the class belongs to the course', async () => {
    const courseId = await courses.createCourse();
    const classId = await courses.createClass(courseId);
    const elsewhere = await courses.createClass(await courses.createCourse());
    const { id } = await courses.createStudent(courseId);
    expect(await access(id, courseId, classId)).toMatchObject({ classExists: true, enrolled: true });
    for (const other of [elsewhere, 0, -1, 2_000_000_000])
      expect(await access(id, courseId, other)).toMatchObject({ classExists: false, enrolled: true });
    await remove(`classes/${classId}`);
    expect(await access(id, courseId, classId)).toMatchObject({ classExists: false });
  });

  test('CheckAccess and ListPaidCourses return the time factor of an enrolled student', async () => {
    const [courseId, other] = [await courses.createCourse(), await courses.createCourse()];
    const { id } = await courses.createStudent(courseId);
    await courses.request('PUT', `/api/v3/admin/courses/${other}/students/${id}`, courses.admin, {
      paid: true,
    });
    const path = `/api/v3/grading/courses/${courseId}/accommodations/${id}`;
    await courses.request('PUT', path, courses.admin, { time_factor: 1.15 });
    expect(await access(id, courseId)).toMatchObject({ timePercent: 115 });
    expect(await access(id, other)).toMatchObject({ timePercent: 0 });
    expect(await client.call('listPaidCourses', { userId: id })).toEqual({
      courseIds: [courseId, other],
      accommodations: [{ courseId, timePercent: 115 }],
    });
    await remove(`courses/${courseId}/students/${id}`);
    expect(await access(id, courseId)).toMatchObject({ timePercent: 0 });
    expect(await client.call('listPaidCourses', { userId: id })).toEqual({
      courseIds: [other],
      accommodations: [],
    });
  });

  test('CheckAccess finds no enrollment in a deleted or unknown course', async () => {
    const courseId = await courses.createCourse();
    const { id } = await courses.createStudent(courseId);
    await remove(`courses/${courseId}`);
    expect(await access(id, courseId)).toEqual(nothing);
    expect(await access(id, 2_000_000_000)).toEqual(nothing);
    expect(await access(0, -1)).toEqual(nothing);
  });
});

describe('a user’s courses', () => {
  test('ListPaidCourses returns paid courses and CountCartItems counts unpaid ones', async () => {
    const [paid, unpaid, ended, deleted] = await Promise.all([1, 2, 3, 4].map(() => courses.createCourse()));
    const { id } = courses.createAccount();
    const put = (courseId = 0, isPaid = true) =>
      courses.request('PUT', `/api/v3/admin/courses/${courseId}/students/${id}`, courses.admin, {
        paid: isPaid,
      });
    await put(paid, true);
    await put(unpaid, false);
    await put(ended, false);
    await put(deleted, true);
    expect((await client.call('listPaidCourses', { userId: id })).courseIds.sort()).toEqual(
      [paid, deleted].sort(),
    );
    expect(await auth.call('countCartItems', { userId: id })).toEqual({ count: 2 });
    await remove(`courses/${ended}/students/${id}`);
    await remove(`courses/${deleted}`);
    expect(await client.call('listPaidCourses', { userId: id })).toEqual({
      courseIds: [paid],
      accommodations: [],
    });
    expect(await auth.call('countCartItems', { userId: id })).toEqual({ count: 1 });
    await courses.sendEvent('user.deleted.v1', userState({ user_id: id, revision: 2 }));
    expect(await client.call('listPaidCourses', { userId: id })).toEqual({
      courseIds: [],
      accommodations: [],
    });
    expect(await auth.call('countCartItems', { userId: id })).toEqual({ count: 0 });
  });

  test('ListPaidCourses and CountCartItems find no courses of an unknown user', async () => {
    expect(await client.call('listPaidCourses', { userId: 99_999 })).toEqual({
      courseIds: [],
      accommodations: [],
    });
    expect(await auth.call('countCartItems', { userId: 99_999 })).toEqual({ count: 0 });
  });
});

describe('CheckTeaching, CheckTeacher and ListTaughtCourses', () => {
  const teaches = async (userId: number, courseId: number) =>
    (await client.call('checkTeaching', { userId, courseId })).teaches;

  test('CheckTeaching reflects assignments, removals and deleted courses immediately', async () => {
    const [courseId, deleted] = [await courses.createCourse(), await courses.createCourse()];
    const { id } = await courses.createInstructor([courseId, deleted]);
    const other = await courses.createInstructor([]);
    expect(await teaches(id, courseId)).toBe(true);
    expect(await teaches(other.id, courseId)).toBe(false);
    expect(await teaches(id, 2_000_000_000)).toBe(false);
    await remove(`courses/${deleted}`);
    expect(await teaches(id, deleted)).toBe(false);
    await remove(`courses/${courseId}/instructors/${id}`);
    expect(await teaches(id, courseId)).toBe(false);
  });

  test('CheckTeaching returns whether an instructor is only a grader of the course', async () => {
    const [courseId, other] = [await courses.createCourse(), await courses.createCourse()];
    const { id } = await courses.createInstructor([courseId, other]);
    const path = `/api/v3/admin/courses/${courseId}/instructors/${id}`;
    await courses.request('PUT', path, courses.admin, { role: 'grader' });
    const check = (course: number) => client.call('checkTeaching', { userId: id, courseId: course });
    expect(await check(courseId)).toEqual({ teaches: true, isGrader: true });
    expect(await check(other)).toEqual({ teaches: true, isGrader: false });
    expect(await check(2_000_000_000)).toEqual({ teaches: false, isGrader: false });
  });

  test('CheckTeacher returns whether a user is the teacher of an existing course', async () => {
    const [courseId, other] = [await courses.createCourse(), await courses.createCourse()];
    const { id } = await courses.createInstructor([courseId, other]);
    const isTeacher = async (userId: number) => (await auth.call('checkTeacher', { userId })).isTeacher;
    const assign = (course: number, role: string) =>
      courses.request('PUT', `/api/v3/admin/courses/${course}/instructors/${id}`, courses.admin, { role });
    expect(await isTeacher(99_999)).toBe(false);
    await assign(courseId, 'grader');
    expect(await isTeacher(id)).toBe(true);
    await assign(other, 'grader');
    expect(await isTeacher(id)).toBe(false);
    await assign(other, 'teacher');
    expect(await isTeacher(id)).toBe(true);
    await remove(`courses/${other}`);
    expect(await isTeacher(id)).toBe(false);
  });

  test('ListTaughtCourses lists the existing courses of an instructor, 1,000 at a time', async () => {
    const ids = await Promise.all([1, 2, 3].map(() => courses.createCourse()));
    const { id } = await courses.createInstructor(ids);
    const [, removed = 0] = ids;
    await remove(`courses/${removed}/instructors/${id}`);
    const kept = ids.filter((each) => each !== removed).toSorted((one, two) => one - two);
    const after = (userId: number, afterCourseId: number) =>
      client.call('listTaughtCourses', { userId, afterCourseId });
    expect(await after(id, 0)).toEqual({ courseIds: kept, more: false });
    expect(await after(id, kept[0] ?? 0)).toEqual({ courseIds: kept.slice(1), more: false });
    expect(await after(99_999, 0)).toEqual({ courseIds: [], more: false });

    await courses.database.query(
      `WITH made AS (INSERT INTO courses.courses (title) SELECT 'Many' FROM generate_series(1, 1001) RETURNING id)
       INSERT INTO courses.instructors (course_id, user_id, account_revision) SELECT id, 90001, 1 FROM made`,
    );
    const first = await after(90_001, 0);
    expect([first.courseIds.length, first.more]).toEqual([1_000, true]);
    const second = await after(90_001, first.courseIds.at(-1) ?? 0);
    expect([second.courseIds.length, second.more]).toEqual([1, false]);
    expect(new Set([...first.courseIds, ...second.courseIds]).size).toBe(1_001);
  });
});

describe('GetCourses and GetClasses', () => {
  test('GetCourses returns the title and revision of existing courses', async () => {
    const [courseId, deleted] = [await courses.createCourse('One'), await courses.createCourse('Two')];
    await courses.request('PATCH', `/api/v3/admin/courses/${courseId}`, courses.admin, { title: 'Uno' });
    await remove(`courses/${deleted}`);
    const courseIds = [courseId, courseId, deleted, 2_000_000_000, 0, -5];
    expect(await client.call('getCourses', { courseIds })).toEqual({
      courses: [{ courseId, title: 'Uno', revision: 2 }],
    });
  });

  test('GetClasses returns the classes of a deleted course, but no deleted classes', async () => {
    const courseId = await courses.createCourse();
    const [classId, deleted] = [
      await courses.createClass(courseId, 'Intro'),
      await courses.createClass(courseId),
    ];
    await remove(`classes/${deleted}`);
    await remove(`courses/${courseId}`);
    const [row] = await courses.database.query<{ created_at: Date }>(
      'SELECT created_at FROM courses.classes WHERE id = $1',
      [classId],
    );
    const { classes } = await client.call('getClasses', { classIds: [classId, deleted] });
    const ms = row?.created_at.getTime() ?? 0;
    const createdAt = { seconds: Math.floor(ms / 1000), nanos: (ms % 1000) * 1_000_000 };
    expect(classes).toEqual([{ classId, courseId, title: 'Intro', revision: 1, createdAt }]);
  });

  test('GetCourses and GetClasses return nothing for an empty list of ids', async () => {
    expect(await client.call('getCourses', { courseIds: [] })).toEqual({ courses: [] });
    expect(await client.call('getClasses', { classIds: [] })).toEqual({ classes: [] });
  });

  test('GetCourses and GetClasses accept a thousand ids and reject more', async () => {
    const ids = (length: number) => Array.from({ length }, (_, index) => index + 1);
    await client.call('getCourses', { courseIds: ids(1_000) });
    await client.call('getClasses', { classIds: ids(1_000) });
    const refused = expect.objectContaining({
      cause: expect.objectContaining({ code: status.INVALID_ARGUMENT }),
    });
    await expect(client.call('getCourses', { courseIds: ids(1_001) })).rejects.toEqual(refused);
    await expect(client.call('getClasses', { classIds: ids(1_001) })).rejects.toEqual(refused);
  });
});

describe('ListCoursePeople and CheckCoursePerson', () => {
  const peopleOf = async (courseId: number) =>
    (await auth.call('listCoursePeople', { courseId, afterUserId: 0 })).userIds;
  const isPersonOf = async (userId: number, courseIds: number[]) =>
    (await auth.call('checkCoursePerson', { userId, courseIds })).isPerson;

  test('the people of a course are its students, paid or not, and its instructors, in id order', async () => {
    const courseId = await courses.createCourse();
    const instructor = await courses.createInstructor([courseId]);
    const paid = await courses.createStudent(courseId);
    const unpaid = await courses.createStudent(courseId, { paid: false });
    const stranger = await courses.createStudent(await courses.createCourse());
    expect(await peopleOf(courseId)).toEqual([instructor.id, paid.id, unpaid.id]);
    const other = await courses.createCourse();
    for (const { id } of [instructor, paid, unpaid])
      expect(await isPersonOf(id, [other, courseId])).toBe(true);
    expect(await isPersonOf(stranger.id, [other, courseId])).toBe(false);
    expect(await isPersonOf(paid.id, [])).toBe(false);
  });

  test('people who left the course, and all people in a deleted course, are omitted', async () => {
    const courseId = await courses.createCourse();
    const instructor = await courses.createInstructor([courseId]);
    const [student, former] = [await courses.createStudent(courseId), await courses.createStudent(courseId)];
    await remove(`courses/${courseId}/students/${former.id}`);
    expect(await peopleOf(courseId)).toEqual([instructor.id, student.id]);
    expect(await isPersonOf(former.id, [courseId])).toBe(false);
    await remove(`courses/${courseId}/instructors/${instructor.id}`);
    expect(await peopleOf(courseId)).toEqual([student.id]);
    await remove(`courses/${courseId}`);
    expect(await peopleOf(courseId)).toEqual([]);
    expect(await isPersonOf(student.id, [courseId])).toBe(false);
  });

  test('ListCoursePeople lists people, each once, 10,000 at a time', async () => {
    const courseId = await courses.createCourse();
    await courses.database.query(
      `WITH people AS (SELECT 1000000 + generate_series(1, 12000) AS user_id),
        enrolled AS (INSERT INTO courses.roster (course_id, user_id, is_enrolled) SELECT $1, user_id, true FROM people)
       INSERT INTO courses.instructors (course_id, user_id, account_revision) SELECT $1, user_id, 1 FROM people
       WHERE user_id % 2 = 0`,
      [courseId],
    );
    const ids = Array.from({ length: 12_000 }, (_, index) => 1_000_001 + index);
    const first = await auth.call('listCoursePeople', { courseId, afterUserId: 0 });
    expect(first).toEqual({ userIds: ids.slice(0, 10_000), more: true });
    const afterUserId = first.userIds.at(-1) ?? 0;
    const second = await auth.call('listCoursePeople', { courseId, afterUserId });
    expect(second).toEqual({ userIds: ids.slice(10_000), more: false });
  });
});

test('an RPC rejects a caller without a valid service credential', async () => {
  const stranger = new Definition(courses.service.grpcAddress, credentials.createInsecure());
  const error = await new Promise((resolve) => stranger.checkAccess({ userId: 1, courseId: 1 }, resolve));
  expect(error).toMatchObject({ code: status.UNAUTHENTICATED, details: 'UnauthorizedRequest' });
  stranger.close();

  const forger = connect('another secret that is not ours');
  await expect(forger.call('countCartItems', { userId: 1 })).rejects.toMatchObject({
    cause: { code: status.UNAUTHENTICATED },
  });
  forger.close();
});
