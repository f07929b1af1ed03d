import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, homeworkGraded, quizGraded, startCoursesService } from './coursesService.ts';
import { itemState } from './itemEvents.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

interface Own {
  data: { title: string; grade: number }[];
  meta: { total: number };
}

let lastId = 0;
const newId = () => {
  lastId += 1;
  return lastId;
};
const released = '2026-03-01T08:00:00.000Z';

/** A quiz of a new course, with a student and the events about the quiz and the student's only submission. */
async function scene() {
  const courseId = await courses.createCourse();
  const student = await courses.createStudent(courseId);
  const [quizId, submissionId] = [newId(), newId()];
  const about = { course_id: courseId, quiz_id: quizId, submission_id: submissionId, student_id: student.id };
  return {
    courseId,
    student,
    quizId,
    item: (revision: number, releasedAt: string | null, change = {}) =>
      courses.sendEvent(
        'quiz.changed.v1',
        itemState({ id: quizId, course_id: courseId, revision, released_at: releasedAt, ...change }),
      ),
    graded: (change = {}) =>
      courses.sendEvent('quiz.submission.graded.v1', quizGraded({ ...about, ...change })),
    /** The number of grades that the student sees, in both the list and its total. */
    async seen() {
      const { body } = await courses.get<Own>('/api/v3/grades', student.token);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.length;
    },
    /** `hidden` of the only grade in the administrators' gradebook; undefined if the grade is not there. */
    async hidden() {
      const path = `/api/v3/admin/courses/${courseId}/gradebook`;
      const { body } = await courses.get<{ data: { grades: { hidden?: boolean }[] }[] }>(path);
      const grades = body.data.flatMap((row) => row.grades);
      expect(grades).toHaveLength(1);
      return grades[0]?.hidden;
    },
  };
}

describe('a grade of an item whose state is known', () => {
  test('a student sees no grade of an item that holds grades back, and sees it once the item releases them', async () => {
    const { item, graded, seen, hidden } = await scene();
    await item(1, null);
    await graded({ visible_from: null, item_revision: 1 });
    expect([await seen(), await hidden()]).toEqual([0, true]);
    await item(2, released);
    expect([await seen(), await hidden()]).toEqual([1, undefined]);
    await item(3, null);
    expect([await seen(), await hidden()]).toEqual([0, true]);
  });

  test('a delayed event of an older release does not show the grade', async () => {
    const { item, graded, seen } = await scene();
    await item(5, null);
    await graded({ visible_from: released, item_revision: 3 });
    await item(4, released);
    expect(await seen()).toBe(0);
  });

  test('a grade from an event of an earlier version follows the state of its item', async () => {
    const { item, graded, seen, hidden } = await scene();
    await graded();
    expect([await seen(), await hidden()]).toEqual([1, undefined]);
    await item(1, null);
    expect([await seen(), await hidden()]).toEqual([0, true]);
  });
});

describe('a grade of an item whose state is unknown or older', () => {
  test('a grade that was given while it was hidden stays hidden until a newer state of its item arrives', async () => {
    const { item, graded, seen, hidden } = await scene();
    await graded({ visible_from: null, item_revision: 4 });
    expect([await seen(), await hidden()]).toEqual([0, true]);
    await item(3, released);
    expect([await seen(), await hidden()]).toEqual([0, true]);
    await item(4, released);
    expect([await seen(), await hidden()]).toEqual([1, undefined]);
  });

  test('a grade that was given while grades were visible is visible despite an older state of its item', async () => {
    const { item, graded, seen } = await scene();
    await item(1, null);
    await graded({ visible_from: released, item_revision: 2 });
    expect(await seen()).toBe(1);
  });

  test('a grade that is published again with the state of its item follows that state', async () => {
    const { graded, seen } = await scene();
    await graded({ revision: 3 });
    expect(await seen()).toBe(1);
    await graded({ revision: 3, visible_from: null, item_revision: 2 });
    expect(await seen()).toBe(0);
    await graded({ revision: 3, visible_from: released, item_revision: 1 });
    expect(await seen()).toBe(0);
  });
});

test('homework that holds grades back is hidden like a quiz', async () => {
  const courseId = await courses.createCourse();
  const student = await courses.createStudent(courseId);
  const classId = await courses.createClass(courseId);
  const about = { course_id: courseId, student_id: student.id, class_id: classId, submission_id: newId() };
  const item = { id: classId, course_id: courseId };
  await courses.sendEvent('homework.changed.v1', itemState({ ...item, released_at: null }));
  await courses.sendEvent('homework.submission.graded.v1', homeworkGraded(about));
  const own = async () => (await courses.get<Own>('/api/v3/grades', student.token)).body.data.length;
  expect(await own()).toBe(0);
  await courses.sendEvent('homework.changed.v1', itemState({ ...item, revision: 2 }));
  expect(await own()).toBe(1);
});

test("the gradebook's CSV file includes held-back grades, and has nine columns", async () => {
  const { item, graded, courseId } = await scene();
  await item(1, null);
  await graded();
  const csv = await courses.get<Buffer>(`/api/v3/admin/courses/${courseId}/gradebook?format=csv`);
  const [header, line] = csv.body.toString().split('\r\n');
  expect([header?.split(',').length, line?.split(',').length]).toEqual([9, 9]);
});

test('graders do not see the grades of an anonymous item in the gradebook until they are released', async () => {
  const { item, graded, courseId } = await scene();
  const { token } = await courses.createInstructor([courseId]);
  const graders = `/api/v3/grading/courses/${courseId}/gradebook`;
  const read = async (path: string, reader: string) => {
    const { body } = await courses.get<{ data: { grades: object[] }[] }>(path, reader);
    const csv = await courses.get<Buffer>(`${path}?format=csv`, reader);
    const lines = csv.body.toString().trimEnd().split('\r\n').length - 1;
    return [body.data.flatMap(({ grades }) => grades).length, lines];
  };
  const all = () =>
    Promise.all([
      read(graders, token),
      read(graders, courses.admin),
      read(`/api/v3/admin/courses/${courseId}/gradebook`, courses.admin),
    ]);
  // The state of the item, which may be anonymous, has not arrived.
  await graded({ visible_from: null, item_revision: 1 });
  expect(await all()).toEqual([
    [0, 0],
    [0, 0],
    [1, 1],
  ]);
  await item(1, null, { anonymous: true });
  expect(await all()).toEqual([
    [0, 0],
    [0, 0],
    [1, 1],
  ]);
  await item(2, null);
  expect(await all()).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
  await item(3, released, { anonymous: true });
  expect(await all()).toEqual([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
});

test('the title of a quiz comes from its newest event, even one of an earlier version', async () => {
  const { item, graded, seen, student, courseId, quizId } = await scene();
  const title = async () =>
    (await courses.get<Own>('/api/v3/grades', student.token)).body.data.map((own) => own.title);
  await graded({ title: 'At the grading' });
  await item(2, released, { title: 'Second' });
  expect(await title()).toEqual(['Second']);
  const earlier = { id: quizId, course_id: courseId };
  await courses.sendEvent('quiz.changed.v1', { ...earlier, title: 'First', revision: 1 });
  expect(await title()).toEqual(['Second']);
  await courses.sendEvent('quiz.changed.v1', { ...earlier, title: 'Third', revision: 3 });
  expect(await title()).toEqual(['Third']);
  await item(4, released, { title: 'Fourth' });
  expect([await title(), await seen()]).toEqual([['Fourth'], 1]);
});
