import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CoursesService,
  homeworkGraded,
  quizGraded,
  startCoursesService,
  userState,
} from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

interface Row {
  student_id: number;
  student_name: string | null;
  student_email: string | null;
  grades: Record<string, unknown>[];
}

interface Gradebook {
  data: Row[];
  links: Record<string, string | null>;
  meta: Record<string, unknown>;
}

let lastSubmission = 0;
const newSubmission = () => {
  lastSubmission += 1;
  return lastSubmission;
};
const gradebook = async (courseId: number, query = '') => {
  const path = `/api/v3/admin/courses/${courseId}/gradebook${query}`;
  const { status, body } = await courses.get<Gradebook>(path);
  expect(status).toBe(200);
  return body;
};
const gradesOf = async (courseId: number) => (await gradebook(courseId)).data.flatMap(({ grades }) => grades);

describe('a grading event', () => {
  test('of a homework and of a quiz become grades of the student, oldest first', async () => {
    const courseId = await courses.course();
    const student = await courses.enrolled(courseId, { email: 'ada@example.org' });
    const about = { course_id: courseId, student_id: student.id };
    await courses.tell(
      'quiz.submission.graded.v1',
      quizGraded({ ...about, submission_id: newSubmission(), quiz_id: 7 }),
    );
    await courses.tell(
      'homework.submission.graded.v1',
      homeworkGraded({ ...about, submission_id: newSubmission(), class_id: 9 }),
    );
    expect((await gradebook(courseId)).data).toEqual([
      {
        ...{ student_id: student.id, student_name: 'Ada Lovelace', student_email: 'ada@example.org' },
        grades: [
          {
            ...{ kind: 'homework', item_id: 9, title: 'Essay', grade: 8, total_grade: 10 },
            graded_at: '2026-03-01 10:00:00',
          },
          {
            ...{ kind: 'quiz', item_id: 7, title: 'Quiz', grade: 17.5, total_grade: 20 },
            graded_at: '2026-03-02 10:00:00',
          },
        ],
      },
    ]);
  });

  test('of a homework and of a quiz with the same submission id are two grades', async () => {
    const courseId = await courses.course();
    const submission_id = newSubmission();
    const about = { course_id: courseId, student_id: 7, submission_id };
    await courses.tell('homework.submission.graded.v1', homeworkGraded(about));
    await courses.tell('quiz.submission.graded.v1', quizGraded(about));
    expect(await gradesOf(courseId)).toHaveLength(2);
  });

  test('of a later revision overwrites, one of an earlier never does', async () => {
    const courseId = await courses.course();
    const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
    for (const [grade, revision] of [
      [5, 2],
      [9, 4],
      [1, 3],
      [2, 1],
      [3, 4],
    ] as const)
      await courses.tell('quiz.submission.graded.v1', quizGraded({ ...about, grade, revision }));
    expect(await gradesOf(courseId)).toMatchObject([{ grade: 9 }]);
  });

  test('of several revisions at once ends with the latest', async () => {
    const courseId = await courses.course();
    const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
    const revisions = [3, 1, 8, 2, 7, 5, 6, 4];
    await Promise.all(
      revisions.map((revision) =>
        courses.tell('quiz.submission.graded.v1', quizGraded({ ...about, grade: revision, revision })),
      ),
    );
    expect(await gradesOf(courseId)).toMatchObject([{ grade: 8 }]);
  });

  test('is applied once, whatever the broker repeats', async () => {
    const courseId = await courses.course();
    const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
    const event = await courses.tell(
      'quiz.submission.graded.v1',
      quizGraded({ ...about, grade: 4, revision: 1 }),
    );
    // The same id with other words: were it looked at again, the higher revision would win.
    const repeated = { ...event, data: quizGraded({ ...about, grade: 1, revision: 2 }) } as CloudEvent;
    await courses.publish(repeated);
    await courses.tell('quiz.submission.graded.v1', quizGraded({ ...about, submission_id: newSubmission() }));
    expect(await gradesOf(courseId)).toMatchObject([{ grade: 4 }, {}]);
  });

  test('that makes no sense holds up no other', async () => {
    const courseId = await courses.course();
    const nonsense = { submission_id: newSubmission(), course_id: courseId } as never;
    const broken = createEvent('test', 'quiz.submission.graded.v1', 'submissions/1', nonsense);
    await courses.publish(broken as CloudEvent, { applied: false });
    const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
    await courses.tell('quiz.submission.graded.v1', quizGraded(about));
    expect(await gradesOf(courseId)).toHaveLength(1);
  });

  test('keeps decimals', async () => {
    const courseId = await courses.course();
    const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
    const grades = { grade: 0.1234, total_grade: 999_999.9999 };
    await courses.tell('quiz.submission.graded.v1', quizGraded({ ...about, ...grades }));
    expect(await gradesOf(courseId)).toMatchObject([grades]);
  });
});

describe('the gradebook', () => {
  test('has everybody who is enrolled, graded or not, and everybody graded, enrolled or not', async () => {
    const courseId = await courses.course();
    const ungraded = await courses.enrolled(courseId, { lastName: 'A' });
    const gone = await courses.enrolled(courseId, { lastName: 'B' });
    const never = courses.account({ lastName: 'C' });
    const goneUngraded = await courses.enrolled(courseId, { lastName: 'D' });
    for (const { id } of [gone, never])
      await courses.tell(
        'quiz.submission.graded.v1',
        quizGraded({ course_id: courseId, student_id: id, submission_id: newSubmission() }),
      );
    for (const { id } of [gone, goneUngraded])
      await courses.call('DELETE', `/api/v3/admin/courses/${courseId}/students/${id}`);
    // The name of somebody who was never enrolled is fetched after the event.
    await waitFor(async () => (await gradebook(courseId)).data.every(({ student_name }) => student_name));
    const { data, meta } = await gradebook(courseId);
    expect(data.map(({ student_id }) => student_id)).toEqual([ungraded.id, gone.id, never.id]);
    expect(data.map(({ student_name }) => student_name)).toEqual(['Ada A', 'Ada B', 'Ada C']);
    expect(data.map(({ grades }) => grades.length)).toEqual([0, 1, 1]);
    expect(data[0]?.student_email).toBeNull();
    expect(meta).toMatchObject({ total: 3, per_page: 50, from: 1, to: 3 });
  });

  test('comes in pages by last name, with their links', async () => {
    const courseId = await courses.course();
    for (const lastName of ['c', 'A', 'b']) await courses.enrolled(courseId, { lastName });
    const { data, links, meta } = await gradebook(courseId, '?per_page=2&page=2');
    expect(data.map(({ student_name }) => student_name)).toEqual(['Ada c']);
    expect(links.prev).toContain(`/api/v3/admin/courses/${courseId}/gradebook?per_page=2&page=1`);
    expect(meta).toMatchObject({ current_page: 2, last_page: 2, total: 3 });
    expect((await gradebook(courseId, '?page=3')).data).toEqual([]);
  });

  test('keeps the grades of a deleted account, without its name, after all others', async () => {
    const courseId = await courses.course();
    const [deleted, ungraded] = [await courses.enrolled(courseId), await courses.enrolled(courseId)];
    const other = await courses.enrolled(courseId, { lastName: 'Zuse' });
    const about = { course_id: courseId, student_id: deleted.id, submission_id: newSubmission() };
    await courses.tell('quiz.submission.graded.v1', quizGraded(about));
    for (const { id } of [deleted, ungraded])
      await courses.tell('user.deleted.v1', userState({ user_id: id, revision: 2 }));
    expect((await gradebook(courseId)).data).toEqual([
      expect.objectContaining({ student_id: other.id }),
      {
        ...{ student_id: deleted.id, student_name: null, student_email: null },
        grades: [expect.objectContaining({ grade: 17.5 })],
      },
    ]);
  });

  test.each(['format=xlsx', 'format=', 'format=csv&format=csv'])('refuses ?%s: 422', async (query) => {
    const answer = await courses.get(`/api/v3/admin/courses/${await courses.course()}/gradebook?${query}`);
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'Invalid Data', errors: { format: [expect.any(String)] } },
    });
  });
});

describe('own grades', () => {
  test('are of every course, newest first, and of nobody else', async () => {
    const [one, two] = [await courses.course(), await courses.course()];
    const student = await courses.enrolled(one);
    const other = await courses.enrolled(one);
    const graded = { student_id: student.id, title: 'Essay' };
    await courses.tell(
      'homework.submission.graded.v1',
      homeworkGraded({ ...graded, course_id: one, submission_id: newSubmission() }),
    );
    await courses.tell(
      'quiz.submission.graded.v1',
      quizGraded({ ...graded, title: 'Test', course_id: two, submission_id: newSubmission() }),
    );
    await courses.tell(
      'quiz.submission.graded.v1',
      quizGraded({ student_id: other.id, course_id: one, submission_id: newSubmission() }),
    );
    const { status, body } = await courses.get<Gradebook>('/api/v3/grades', student.token);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        ...{ kind: 'quiz', title: 'Test', course_id: two, grade: 17.5, total_grade: 20 },
        graded_at: '2026-03-02 10:00:00',
      },
      {
        ...{ kind: 'homework', title: 'Essay', course_id: one, grade: 8, total_grade: 10 },
        graded_at: '2026-03-01 10:00:00',
      },
    ]);
    expect(body.meta).toMatchObject({ total: 2, per_page: 50 });
  });

  test('come in pages', async () => {
    const courseId = await courses.course();
    const student = await courses.enrolled(courseId);
    for (let number = 1; number <= 3; number += 1)
      await courses.tell(
        'quiz.submission.graded.v1',
        quizGraded({ course_id: courseId, student_id: student.id, submission_id: newSubmission() }),
      );
    const { body } = await courses.get<Gradebook>('/api/v3/grades?per_page=2&page=2', student.token);
    expect(body.data).toHaveLength(1);
    expect(body.meta).toMatchObject({ from: 3, to: 3, last_page: 2 });
  });
});
