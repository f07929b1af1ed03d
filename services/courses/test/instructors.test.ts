import { auditEvents } from '@gradeway/test/auditEvents';
import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { userState } from '@gradeway/test/userEvents';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

interface Listed {
  data: { id: number; name: string; email: string; role: string }[];
  meta: Record<string, unknown>;
}

const listPath = (courseId: number | string) => `/api/v3/admin/courses/${courseId}/instructors`;
const pathOf = (courseId: number | string, userId: number | string) => `${listPath(courseId)}/${userId}`;
const assign = (courseId: number | string, userId: number | string, token = courses.admin) =>
  courses.request('PUT', pathOf(courseId, userId), token);
const remove = (courseId: number | string, userId: number | string, token = courses.admin) =>
  courses.request('DELETE', pathOf(courseId, userId), token);
const idsOf = async (courseId: number) =>
  (await courses.get<Listed>(listPath(courseId))).body.data.map(({ id }) => id);
const published = (userId: number) => courses.outboxEvents('course.instructor.%', { user_id: userId });
const notFound = { status: 404, body: { message: 'Not Found', errors: null } };
const forbidden = { status: 403, body: { message: 'Unauthorized Access', errors: null } };

/** Applies an event about the account of an instructor. */
const change = (userId: number, state: Partial<ReturnType<typeof userState>>) =>
  courses.sendEvent('user.changed.v1', userState({ user_id: userId, role: 'instructor', ...state }));

describe('assigning and removing', () => {
  test('assigning an instructor returns 200 with course, user and role, and the instructor is in the list', async () => {
    const courseId = await courses.createCourse();
    const account = { firstName: 'Emmy', lastName: 'Noether', email: 'emmy@school.example' };
    const { id } = courses.createAccount({ ...account, role: 'instructor' });
    expect(await assign(courseId, id)).toMatchObject({
      status: 200,
      body: { data: { course_id: courseId, user_id: id, role: 'teacher' } },
    });
    expect((await courses.get<Listed>(listPath(courseId))).body.data).toEqual([
      { id, name: 'Emmy Noether', email: 'emmy@school.example', role: 'teacher' },
    ]);
  });

  test('only an actual change to an instructor publishes an event and creates an audit entry, with increasing revisions', async () => {
    const courseId = await courses.createCourse();
    const { id } = courses.createAccount({ role: 'instructor' });
    for (const send of [assign, assign, remove, remove, assign])
      expect([200, 204]).toContain((await send(courseId, id)).status);
    const about = { course_id: courseId, user_id: id };
    expect(await published(id)).toEqual([
      { type: 'course.instructor.assigned.v1', data: { ...about, role: 'teacher', revision: 1 } },
      { type: 'course.instructor.removed.v1', data: { ...about, revision: 2 } },
      { type: 'course.instructor.assigned.v1', data: { ...about, role: 'teacher', revision: 3 } },
    ]);
    const object = { object_type: 'instructor', object_id: `${courseId}/${id}` };
    expect(await auditEvents(courses.database, 'courses', object)).toMatchObject([
      {
        action: 'instructor.assigned',
        actor_id: 1,
        changes: { is_assigned: [false, true], role: [null, 'teacher'] },
      },
      {
        action: 'instructor.removed',
        actor_id: 1,
        changes: { is_assigned: [true, false], role: ['teacher', null] },
      },
      {
        action: 'instructor.assigned',
        actor_id: 1,
        changes: { is_assigned: [false, true], role: [null, 'teacher'] },
      },
    ]);
  });

  test.each(['user', 'admin', 'parent'] as const)(
    'assigning an account with the role %s is 422',
    async (role) => {
      const courseId = await courses.createCourse();
      const { id } = courses.createAccount({ role });
      expect(await assign(courseId, id)).toMatchObject({
        status: 422,
        body: { message: 'Invalid Data', errors: { user_id: ['The user must be an instructor.'] } },
      });
      expect(await idsOf(courseId)).toEqual([]);
    },
  );

  test('assigning to an unknown course or account is 404, and 404 precedes 422', async () => {
    const courseId = await courses.createCourse();
    const { id } = courses.createAccount({ role: 'instructor' });
    const student = courses.createAccount();
    for (const [course, user] of [
      [2_000_000_000, id],
      [2_000_000_000, student.id],
      [courseId, 99_999],
      [courseId, 'x'],
      ['0', id],
    ] as const)
      expect(await assign(course, user), `${course}/${user}`).toMatchObject(notFound);
  });

  test('removing an instructor is 204 for any user, and 404 for an unknown course', async () => {
    const courseId = await courses.createCourse();
    const { id } = await courses.createInstructor([courseId]);
    const student = await courses.createStudent(courseId);
    for (const user of [id, id, student.id, 99_999]) {
      const { status, body } = await remove(courseId, user);
      expect([status, body]).toEqual([204, null]);
    }
    expect(await remove(2_000_000_000, id)).toMatchObject(notFound);
    expect(await idsOf(courseId)).toEqual([]);
  });

  test('only administrators list, assign and remove instructors', async () => {
    const courseId = await courses.createCourse();
    const instructor = await courses.createInstructor([courseId]);
    const student = courses.createAccount();
    for (const { token } of [instructor, student]) {
      expect(await courses.get(listPath(courseId), token)).toMatchObject(forbidden);
      expect(await assign(courseId, instructor.id, token)).toMatchObject(forbidden);
      expect(await remove(courseId, instructor.id, token)).toMatchObject(forbidden);
    }
    expect((await courses.get(listPath(courseId), '')).status).toBe(401);
    expect(await idsOf(courseId)).toEqual([instructor.id]);
  });

  test('simultaneous assignments of one instructor publish one event', async () => {
    const courseId = await courses.createCourse();
    const { id } = courses.createAccount({ role: 'instructor' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => assign(courseId, id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await published(id)).toHaveLength(1);
  });
});

describe('the list of instructors', () => {
  test('instructors are sorted by last name, first name and id', async () => {
    const courseId = await courses.createCourse();
    const ids: number[] = [];
    for (const [firstName, lastName] of [
      ['Zoe', 'adams'],
      ['Bea', 'Zimmer'],
      ['Amy', 'Adams'],
      ['Émile', 'Östlund'],
      ['amy', 'ADAMS'],
    ] as const)
      ids.push((await courses.createInstructor([courseId], { firstName, lastName })).id);
    expect(await idsOf(courseId)).toEqual([2, 4, 0, 3, 1].map((place) => ids[place]));
  });

  test('a page of instructors has 50 entries by default, and at most 200', async () => {
    const courseId = await courses.createCourse();
    const ids = [await courses.createInstructor([courseId]), await courses.createInstructor([courseId])];
    const { body } = await courses.get<Listed>(`${listPath(courseId)}?per_page=1&page=2`);
    expect([body.data, body.meta]).toMatchObject([
      [{ id: ids[1]?.id, email: '' }],
      { total: 2, last_page: 2 },
    ]);
    expect((await courses.get<Listed>(listPath(courseId))).body.meta.per_page).toBe(50);
    expect((await courses.get<Listed>(`${listPath(courseId)}?per_page=999`)).body.meta.per_page).toBe(200);
  });

  test('the instructors of an unknown course are 404, even with a query that would be 422', async () => {
    const courseId = await courses.createCourse();
    expect(await courses.get(`${listPath(2_000_000_000)}?page=0`)).toMatchObject(notFound);
    expect(await courses.get(`${listPath(courseId)}?page=0`)).toMatchObject({
      status: 422,
      body: { message: 'Invalid Data', errors: { page: expect.any(Array) } },
    });
  });
});

describe('the account of an instructor', () => {
  test('an account that gets another role loses every assignment, with an event for each', async () => {
    const ids = [await courses.createCourse(), await courses.createCourse()];
    const { id } = await courses.createInstructor(ids);
    const other = await courses.createInstructor(ids);
    await change(id, { revision: 2, role: 'user' });
    for (const courseId of ids) expect(await idsOf(courseId)).toEqual([other.id]);
    expect((await published(id)).slice(2)).toEqual(
      expect.arrayContaining(
        ids.map((course_id) => ({
          type: 'course.instructor.removed.v1',
          data: { course_id, user_id: id, revision: 2 },
        })),
      ),
    );
    expect(await published(id)).toHaveLength(4);
  });

  test('only accounts that get another role lose their assignments when many change at once', async () => {
    const courseId = await courses.createCourse();
    const ids: number[] = [];
    for (let count = 0; count < 10; count += 1) ids.push((await courses.createInstructor([courseId])).id);
    const isKept = (index: number) => index % 2 === 0;
    await Promise.all(
      ids.map((id, index) =>
        change(id, {
          revision: 2,
          role: isKept(index) ? 'instructor' : 'user',
          first_name: `Changed ${index}`,
        }),
      ),
    );
    const { body } = await courses.get<Listed>(listPath(courseId));
    expect(body.data.map(({ id, name }) => [id, name])).toEqual(
      ids.flatMap((id, index) => (isKept(index) ? [[id, expect.stringContaining(`Changed ${index} `)]] : [])),
    );
    for (const [index, id] of ids.entries()) expect(await published(id)).toHaveLength(isKept(index) ? 1 : 2);
  });

  test('an account that gets another name or is blocked keeps its assignments', async () => {
    const courseId = await courses.createCourse();
    const { id } = await courses.createInstructor([courseId]);
    await change(id, { revision: 2, first_name: 'New', last_name: 'Name', is_blocked: true });
    expect((await courses.get<Listed>(listPath(courseId))).body.data).toMatchObject([
      { id, name: 'New Name' },
    ]);
  });

  test('a late event about an earlier role ends no assignment', async () => {
    const courseId = await courses.createCourse();
    const { id } = courses.createAccount({ role: 'instructor' });
    const account = courses.peers.users.find(({ userId }) => userId === id);
    Object.assign(account ?? {}, { revision: 5 });
    expect((await assign(courseId, id)).status).toBe(200);
    await change(id, { revision: 4, role: 'user' });
    expect(await idsOf(courseId)).toEqual([id]);
    await change(id, { revision: 6, role: 'user' });
    expect(await idsOf(courseId)).toEqual([]);
  });

  test('a repeated assignment survives a late event about a role in between', async () => {
    const courseId = await courses.createCourse();
    const { id } = await courses.createInstructor([courseId]);
    const account = courses.peers.users.find(({ userId }) => userId === id);
    Object.assign(account ?? {}, { revision: 3 });
    expect((await assign(courseId, id)).status).toBe(200);
    await change(id, { revision: 2, role: 'user' });
    expect(await idsOf(courseId)).toEqual([id]);
  });

  test('a response of auth that is older than a received event assigns no instructor', async () => {
    const courseId = await courses.createCourse();
    const { id } = courses.createAccount({ role: 'instructor' });
    await change(id, { revision: 9, role: 'user' });
    expect((await assign(courseId, id)).status).toBe(503);
    expect(await idsOf(courseId)).toEqual([]);
  });

  test('an assignment that waits for an event about another role assigns no instructor', async () => {
    const courseId = await courses.createCourse();
    const { id } = await courses.createInstructor([]);
    await change(id, { revision: 1 });
    const answer = await changeWhileWaiting({
      database: courses.database,
      schema: 'courses',
      lock: `SELECT FROM people WHERE user_id = ${id} FOR UPDATE`,
      send: () => assign(courseId, id),
      change: `UPDATE people SET revision = 7 WHERE user_id = ${id}`,
    });
    expect(answer.status).toBe(503);
    expect(await idsOf(courseId)).toEqual([]);
  });

  test('deleting an account ends every assignment, and it cannot be assigned again', async () => {
    const courseId = await courses.createCourse();
    const { id } = await courses.createInstructor([courseId]);
    await courses.sendEvent('user.deleted.v1', userState({ user_id: id, revision: 2, role: 'instructor' }));
    expect(await idsOf(courseId)).toEqual([]);
    expect((await published(id)).at(-1)).toMatchObject({ type: 'course.instructor.removed.v1' });
    expect(await assign(courseId, id)).toMatchObject(notFound);
  });

  test('without auth, assigning an instructor is 503, while removing and listing work', async () => {
    const own = await startCoursesService();
    try {
      const courseId = await own.createCourse();
      const { id } = await own.createInstructor([courseId]);
      await own.peers.close();
      expect(await own.request('PUT', pathOf(courseId, id))).toMatchObject({ status: 503 });
      expect((await own.get(listPath(courseId))).body).toMatchObject({ data: [{ id }] });
      expect((await own.request('DELETE', pathOf(courseId, id))).status).toBe(204);
    } finally {
      await own.close();
    }
  });
});
