import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HomeworkService, type Scene, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
beforeAll(async () => {
  homework = await startHomeworkService();
});
afterAll(() => homework.close());

const created_at = '2026-02-01T08:00:00.000Z';
const classState = ({ classId, courseId }: Scene, change: object = {}) => ({
  id: classId,
  course_id: courseId,
  title: `Class ${classId}`,
  created_at,
  revision: 2,
  ...change,
});
const courseState = ({ courseId }: Scene, change: object = {}) => ({
  id: courseId,
  title: `Course ${courseId}`,
  description: null,
  created_at,
  revision: 2,
  ...change,
});
const userState = ({ student }: Scene, change: object = {}) => ({
  user_id: student.id,
  first_name: 'Grace',
  last_name: 'Hopper',
  email: 'grace@school.example',
  role: 'user',
  is_blocked: false,
  revision: 2,
  ...change,
});

const totalOf = async (courseId?: number) => {
  const query = courseId === undefined ? '' : `?course_id=${courseId}`;
  const answer = await homework.get(`/api/v3/admin/homeworks${query}`, homework.admin);
  return answer.body.total as number;
};

/** Resolves when all published events have been applied. */
async function settled() {
  const { classId, courseId } = homework.setUpClass();
  await homework.publish('class.changed.v1', classState({ classId, courseId } as Scene));
  await waitFor(
    async () => (await homework.rows('SELECT 1 FROM homework.classes WHERE class_id = $1', classId)).length,
  );
}

test('a class and a course are shown as of their latest events', async () => {
  const scene = await homework.setUp();
  await homework.publish('class.changed.v1', classState(scene, { title: 'New class' }));
  await homework.publish('course.changed.v1', courseState(scene, { title: 'New course' }));
  await waitFor(async () => {
    const { title, course_title } = await homework.homework(scene.classId);
    return title === 'New class' && course_title === 'New course';
  });
});

test('an older state never overwrites a newer one, and a repeated event is applied once', async () => {
  const scene = await homework.setUp();
  const event = await homework.publish(
    'class.changed.v1',
    classState(scene, { title: 'Third', revision: 3 }),
  );
  await homework.publish('course.deleted.v1', courseState(scene, { revision: 3 }));
  await waitFor(async () => {
    const { title, course_title } = await homework.homework(scene.classId);
    return title === 'Third' && course_title === null;
  });
  await homework.publish('class.changed.v1', classState(scene, { title: 'Second', revision: 2 }));
  await homework.publish('course.changed.v1', courseState(scene, { title: 'Second', revision: 2 }));
  await homework.publishAgain(event);
  await settled();
  expect(await homework.homework(scene.classId)).toMatchObject({ title: 'Third', course_title: null });
});

test('the title of a deleted course is null, and its classes remain (specification)', async () => {
  const scene = await homework.setUp();
  await homework.publish('course.deleted.v1', courseState(scene));
  await waitFor(async () => (await homework.homework(scene.classId)).course_title === null);
  expect(await totalOf(scene.courseId)).toBe(1);
});

test('a deleted class returns 404, and its submissions can still be graded (D43)', async () => {
  const scene = await homework.setUp();
  const { classId, courseId, student } = scene;
  const { id } = await homework.submitted(classId, student);
  const before = await totalOf();
  await homework.publish('class.deleted.v1', classState(scene));
  const path = `/api/v3/admin/homeworks/${classId}`;
  await waitFor(async () => (await homework.get(path, homework.admin)).status === 404);
  expect(await totalOf(courseId)).toBe(0);
  expect(await totalOf()).toBe(before - 1);
  expect((await homework.submit(classId, student)).status).toBe(404);
  expect((await homework.call(path, homework.admin, { method: 'DELETE' })).status).toBe(404);
  // The fake courses service still has the class: the event takes precedence.
  expect((await homework.put(classId)).status).toBe(404);
  expect((await homework.grade(id, { rating: 6 })).status).toBe(200);
});

test('an event may arrive before the first reference to its class, and an older response does not undo it', async () => {
  const scene = homework.setUpClass();
  await homework.publish('class.changed.v1', classState(scene, { title: 'Newer' }));
  await waitFor(
    async () =>
      (await homework.rows('SELECT 1 FROM homework.classes WHERE class_id = $1', scene.classId)).length,
  );
  expect((await homework.put(scene.classId)).status).toBe(201);
  expect(await homework.homework(scene.classId)).toMatchObject({ title: 'Newer' });
});

test('a class that moves to another course is counted in that course', async () => {
  const [scene, other] = [await homework.setUp(), await homework.setUp()];
  const before = await totalOf();
  await homework.publish('class.changed.v1', classState(scene, { course_id: other.courseId }));
  await waitFor(async () => (await totalOf(other.courseId)) === 2);
  expect(await totalOf(scene.courseId)).toBe(0);
  expect(await totalOf()).toBe(before);
  await homework.publish('class.deleted.v1', classState(scene, { course_id: other.courseId, revision: 3 }));
  await waitFor(async () => (await totalOf(other.courseId)) === 1);
});

test('the totals of the courses equal the number of listed classes', async () => {
  const counted = await homework.rows(
    `SELECT course_id, count(*)::integer AS total FROM homework.classes WHERE is_listed
     GROUP BY course_id ORDER BY course_id`,
  );
  const totals = await homework.rows(
    'SELECT course_id, total FROM homework.homework_totals WHERE total <> 0 ORDER BY course_id',
  );
  expect(totals).toEqual(counted);
});

describe('a student', () => {
  const shown = async ({ classId }: Scene) => (await homework.homework(classId)).submissions[0];

  test('a student is shown with the name from the latest event, and without a name after the deletion', async () => {
    const scene = await homework.setUp();
    await homework.submitted(scene.classId, scene.student);
    await homework.publish('user.changed.v1', userState(scene));
    await waitFor(async () => (await shown(scene))?.student_name === 'Grace Hopper');
    expect(await shown(scene)).toMatchObject({ student_email: 'grace@school.example' });
    await homework.publish('user.deleted.v1', userState(scene, { revision: 3 }));
    await waitFor(async () => (await shown(scene))?.student_name === null);
    expect(await shown(scene)).toMatchObject({ student_id: scene.student.id, student_email: null });
  });

  test('a student without an email address is shown without one', async () => {
    const scene = await homework.setUp();
    const student = homework.enroll(scene.courseId, { firstName: '', lastName: 'Plato', email: '' });
    await homework.submitted(scene.classId, student);
    expect(await shown(scene)).toMatchObject({ student_name: 'Plato', student_email: null });
  });
});

test('the event for a grade is published through the broker', async () => {
  const scene = await homework.setUp();
  const { id } = await homework.submitted(scene.classId, scene.student);
  await homework.grade(id, { rating: 6 });
  await waitFor(async () => {
    const waiting = await homework.rows('SELECT 1 FROM homework.outbox WHERE sent_at IS NULL');
    return waiting.length === 0;
  });
});
