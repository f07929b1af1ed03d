import { CoursesService as Definition } from '@gradeway/proto/courses';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { userState } from '@gradeway/test/userEvents';
import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
let client: ReturnType<typeof connect>;
beforeAll(async () => {
  courses = await startCoursesService();
  client = connect();
});
afterAll(async () => {
  client.close();
  await courses.close();
});

function connect() {
  const address = courses.service.grpcAddress;
  return createGrpcClient(Definition, { address, secret: serviceSecret, caller: 'quiz', callee: 'courses' });
}

interface Request {
  afterUserId?: number;
  limit?: number;
  search?: string;
  groups?: number[][];
  onlyGroup?: number;
}

const list = (courseId: number, { limit = 50, search = '', groups = [], ...rest }: Request = {}) =>
  client.call('listStudents', {
    courseId,
    limit,
    search,
    groups: groups.map((userIds) => ({ userIds })),
    ...rest,
  });
const idsOf = async (courseId: number, request?: Request) =>
  (await list(courseId, request)).students.map(({ userId }) => userId);
const refused = expect.objectContaining({
  cause: expect.objectContaining({ code: status.INVALID_ARGUMENT }),
});

/** A course with a student for each of these names, whose ids are returned in the same order. */
async function courseWith(...names: string[]): Promise<{ courseId: number; ids: number[] }> {
  const courseId = await courses.createCourse();
  const ids: number[] = [];
  for (const name of names) {
    const [firstName = '', lastName = ''] = name.split(' ');
    const email = `${firstName}@school.example`;
    ids.push((await courses.createStudent(courseId, { firstName, lastName, email })).id);
  }
  return { courseId, ids };
}

describe('ListStudents', () => {
  test('ListStudents returns the paid students of an existing course by last name, first name and id', async () => {
    const { courseId, ids } = await courseWith('Zoe Adams', 'Émile Östlund', 'Amy adams', 'Amy Adams');
    await courses.createStudent(courseId, { paid: false });
    const ended = await courses.createStudent(courseId);
    await courses.request('DELETE', `/api/v3/admin/courses/${courseId}/students/${ended.id}`);
    const [zoe, emile, amy, other] = ids;
    expect(await list(courseId)).toEqual({
      students: [
        { userId: amy, name: 'Amy adams', email: 'Amy@school.example' },
        { userId: other, name: 'Amy Adams', email: 'Amy@school.example' },
        { userId: zoe, name: 'Zoe Adams', email: 'Zoe@school.example' },
        { userId: emile, name: 'Émile Östlund', email: 'Émile@school.example' },
      ],
      more: false,
      total: 4,
      groupTotals: [],
    });
    await courses.request('DELETE', `/api/v3/admin/courses/${courseId}`);
    const nothing = { students: [], more: false, total: 0, groupTotals: [0] };
    expect(await list(courseId, { groups: [ids] })).toEqual(nothing);
    expect(await list(2_000_000_000, { groups: [ids] })).toEqual(nothing);
  });

  test('the pages of ListStudents contain every student once, even when a student joins in between', async () => {
    const { courseId, ids } = await courseWith('A Aa', 'B Bb', 'B Bb', 'C Cc', 'D Dd');
    const first = await list(courseId, { limit: 2 });
    expect([first.students.map(({ userId }) => userId), first.more]).toEqual([ids.slice(0, 2), true]);
    await courses.createStudent(courseId, { firstName: 'A', lastName: 'Aa' });
    const second = await list(courseId, { limit: 3, afterUserId: ids[1] ?? 0 });
    expect([second.students.map(({ userId }) => userId), second.more]).toEqual([ids.slice(2), false]);
    expect(await idsOf(courseId, { afterUserId: ids[4] ?? 0 })).toEqual([]);
  });

  test('no student is omitted when the last one of a page is erased', async () => {
    const { courseId, ids } = await courseWith('A Aa', 'B Bb', 'C Cc');
    await courses.database.query('DELETE FROM courses.roster WHERE course_id = $1 AND user_id = $2', [
      courseId,
      ids[1],
    ]);
    expect(await idsOf(courseId, { afterUserId: ids[1] ?? 0 })).toEqual([ids[0], ids[2]]);
  });

  test('a student whose account was deleted is not listed', async () => {
    const { courseId, ids } = await courseWith('A Aa', 'B Bb');
    await courses.sendEvent('user.deleted.v1', userState({ user_id: ids[0] ?? 0, revision: 2 }));
    expect(await list(courseId, { groups: [ids] })).toMatchObject({
      students: [{ userId: ids[1] }],
      total: 1,
      groupTotals: [1],
    });
  });

  test('ListStudents finds parts of full names, addresses and numbers, and still counts all students', async () => {
    const { courseId, ids } = await courseWith('Ada Lovelace', 'Émile Zola', 'Alan Turing');
    const [ada, emile, alan] = ids;
    expect(await idsOf(courseId, { search: 'ada love' })).toEqual([ada]);
    expect(await idsOf(courseId, { search: 'EMILE' })).toEqual([emile]);
    expect(await idsOf(courseId, { search: 'alan@' })).toEqual([alan]);
    expect(await list(courseId, { search: '100%', groups: [[ada ?? 0]] })).toEqual({
      students: [],
      more: false,
      total: 3,
      groupTotals: [1],
    });
  });

  test('ListStudents counts the paid students in each group, and returns the students in one group or in none', async () => {
    const { courseId, ids } = await courseWith('A Aa', 'B Bb', 'C Cc', 'D Dd', 'E Ee');
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = ids;
    const unpaid = await courses.createStudent(courseId, { paid: false });
    const groups = [[d, a, unpaid.id], [], [c, 99_999]];
    expect((await list(courseId, { groups })).groupTotals).toEqual([2, 0, 1]);
    expect(await idsOf(courseId, { groups, onlyGroup: 0 })).toEqual([a, d]);
    expect(await idsOf(courseId, { groups, onlyGroup: 1 })).toEqual([]);
    expect(await idsOf(courseId, { groups, onlyGroup: -1 })).toEqual([b, e]);
    expect(await list(courseId, { groups, onlyGroup: 0, limit: 1, afterUserId: a, search: 'd' })).toEqual({
      students: [expect.objectContaining({ userId: d })],
      more: false,
      total: 5,
      groupTotals: [2, 0, 1],
    });
    await expect(list(courseId, { groups, onlyGroup: 3 })).rejects.toEqual(refused);
  });

  test.each([0, -1, 201])('ListStudents rejects a page of %i students', async (limit) => {
    await expect(list(1, { limit })).rejects.toEqual(refused);
  });
});

test('GetEnrollments returns which users are enrolled in an existing course, paid or not', async () => {
  const courseId = await courses.createCourse();
  const paid = await courses.createStudent(courseId);
  const unpaid = await courses.createStudent(courseId, { paid: false });
  const ended = await courses.createStudent(courseId);
  const elsewhere = await courses.createStudent(await courses.createCourse());
  await courses.request('DELETE', `/api/v3/admin/courses/${courseId}/students/${ended.id}`);
  const userIds = [paid, unpaid, ended, elsewhere].map(({ id }) => id);
  const { enrolledUserIds } = await client.call('getEnrollments', { courseId, userIds });
  expect(enrolledUserIds.toSorted((one, two) => one - two)).toEqual([paid.id, unpaid.id]);
  const many = Array.from({ length: 1_001 }, (_, index) => index);
  await expect(client.call('getEnrollments', { courseId, userIds: many })).rejects.toEqual(refused);
  await courses.request('DELETE', `/api/v3/admin/courses/${courseId}`);
  expect(await client.call('getEnrollments', { courseId, userIds })).toEqual({ enrolledUserIds: [] });
});
