import { PersonalDataService } from '@gradeway/proto/personal';
import { createGrpcStreamClient } from '@gradeway/shared/grpc/streamClient';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { userState } from '@gradeway/test/userEvents';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CoursesService, type Student, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

const pathOf = (courseId: number, userId: number) => `/api/v3/admin/courses/${courseId}/students/${userId}`;

test('erasures concurrent with enrollments, their ends and deletions cause no deadlock, and student counts stay exact', async () => {
  const address = courses.service.grpcAddress;
  const client = createGrpcStreamClient(PersonalDataService, {
    address,
    secret: serviceSecret,
    caller: 'auth',
    callee: 'courses',
  });
  const erase = async ({ id }: Student) => {
    const person = { userId: id, keepGrades: true, email: '', sourcedId: '' };
    for await (const _ of client.read('erasePerson', person, { signal: new AbortController().signal }));
  };
  const enroll = (courseId: number, { id }: Student, paid = true) =>
    courses.request('PUT', pathOf(courseId, id), courses.admin, { paid });
  const created = await Promise.all([1, 2, 3, 4].map(() => courses.createCourse()));
  const courseIds = created.toSorted((one, other) => one - other);
  const students = Array.from({ length: 24 }, () => courses.createAccount());
  await Promise.all(
    students.flatMap((student) => courseIds.slice(0, 3).map((courseId) => enroll(courseId, student))),
  );

  // The people being erased enroll in their last course, leave their first one, and pay, while an event deletes the
  // account.
  const waiting = students.values();
  const lane = async () => {
    for (const student of waiting) {
      const [first = 0, second = 0, third = 0, last = 0] = courseIds;
      await Promise.all([
        erase(student),
        enroll(last, student),
        courses.request('DELETE', pathOf(first, student.id)),
        enroll(third, student, false),
        enroll(second, courses.createAccount()),
        courses.sendEvent('user.deleted.v1', userState({ user_id: student.id, revision: 2 })),
      ]);
    }
  };
  await Promise.all([lane(), lane(), lane()]);
  client.close();

  const counts = await courses.database.query<{ id: number; counted: number; student_count: number }>(
    `SELECT c.id, c.student_count, count(r.user_id)::int AS counted
     FROM courses.courses c LEFT JOIN courses.roster r ON r.course_id = c.id AND r.is_enrolled
     GROUP BY c.id ORDER BY c.id`,
  );
  for (const { student_count, counted } of counts) expect(student_count).toBe(counted);
  expect(counts.map(({ student_count }) => student_count)).toEqual([0, 24, 0, 0]);
  // A connection that closes reports its deadlocks; a repeated transaction hides them from the requests.
  await courses.service.stop();
  const [statistics] = await courses.database.query<{ deadlocks: number }>(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(statistics?.deadlocks).toBe(0);
});
