import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import { userState } from '@gradeway/test/userEvents';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, homeworkGraded, quizGraded, startCoursesService } from './coursesService.ts';

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

describe('grading events', () => {
  test('homework and quiz gradings become grades of the student, oldest first', async () => {
    const courseId = await courses.createCourse();
    const student = await courses.createStudent(courseId, { email: 'ada@example.org' });
    const about = { course_id: courseId, student_id: student.id };
    await courses.sendEvent(
      'quiz.submission.graded.v1',
      quizGraded({ ...about, submission_id: newSubmission(), quiz_id: 7 }),
    );
    await courses.sendEvent(
      'homework.submission.graded.v1',
      homeworkGraded({ ...about, submission_id: newSubmission(), class_id: 9 }),
    );
    expect((await gradebook(courseId)).data).toEqual([
      {
        student_id: student.id,
        student_name: 'Ada Lovelace',
        student_email: 'ada@example.org',
        grades: [
          {
            kind: 'homework',
            item_id: 9,
            title: 'Essay',
            grade: 8,
            total_grade: 10,
            graded_at: '2026-03-01 10:00:00',
          },
          {
            kind: 'quiz',
            item_id: 7,
            title: 'Quiz',
            grade: 17.5,
            total_grade: 20,
            graded_at: '2026-03-02 10:00:00',
          },
        ],
      },
    ]);
  });

  test('homework and a quiz with the same submission id are two grades', async () => {
    const courseId = await courses.createCourse();
    const submission_id = newSubmission();
    const about = { course_id: courseId, student_id: 7, submission_id };
    await courses.sendEvent('homework.submission.graded.v1', homeworkGraded(about));
    await courses.sendEvent('quiz.submission.graded.v1', quizGraded(about));
    expect(await gradesOf(courseId)).toHaveLength(2);
  });

  test('a newer revision overwrites the grade, and an older one never does', async () => {
    const courseId = await courses.createCourse();
    const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
    for (const [grade, revision] of [
      [5, 2],
      [9, 4],
      [1, 3],
      [2, 1],
      [3, 4],
    ] as const)
      await courses.sendEvent('quiz.submission.graded.v1', quizGraded({ ...about, grade, revision }));
    expect(await gradesOf(courseId)).toMatchObject([{ grade: 9 }]);
  });

  test('a withdrawn grade leaves the gradebook and the grades of the student, until a newer revision', async () => {
    const courseId = await courses.createCourse();
    const student = await courses.createStudent(courseId);
    const about = { course_id: courseId, student_id: student.id, submission_id: newSubmission() };
    const own = async () => (await courses.get<Gradebook>('/api/v3/grades', student.token)).body;
    await courses.sendEvent('quiz.submission.graded.v1', quizGraded({ ...about, revision: 1 }));
    expect((await own()).meta.total).toBe(1);
    await courses.sendEvent('quiz.submission.ungraded.v1', { ...about, quiz_id: 7, revision: 2 });
    expect(await gradebook(courseId)).toMatchObject({ data: [{ student_id: student.id, grades: [] }] });
    expect(await own()).toMatchObject({ data: [], meta: { total: 0 } });
    await courses.sendEvent('quiz.submission.graded.v1', quizGraded({ ...about, grade: 4, revision: 3 }));
    expect(await gradesOf(courseId)).toMatchObject([{ grade: 4 }]);
  });

  test.each(['homework', 'quiz'] as const)(
    'a late grading of %s does not restore a withdrawn grade',
    async (kind) => {
      const courseId = await courses.createCourse();
      const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
      const send = {
        homework: {
          graded: (revision: number) =>
            courses.sendEvent('homework.submission.graded.v1', homeworkGraded({ ...about, revision })),
          ungraded: (revision: number) =>
            courses.sendEvent('homework.submission.ungraded.v1', { ...about, class_id: 9, revision }),
        },
        quiz: {
          graded: (revision: number) =>
            courses.sendEvent('quiz.submission.graded.v1', quizGraded({ ...about, revision })),
          ungraded: (revision: number) =>
            courses.sendEvent('quiz.submission.ungraded.v1', { ...about, quiz_id: 7, revision }),
        },
      }[kind];
      await send.ungraded(4);
      await send.graded(3);
      expect(await gradebook(courseId)).toMatchObject({ data: [], meta: { total: 0 } });
      await send.graded(5);
      await send.ungraded(4);
      expect(await gradesOf(courseId)).toHaveLength(1);
    },
  );

  test('a student who is not enrolled stays in the gradebook only while another grade remains', async () => {
    const courseId = await courses.createCourse();
    const about = { course_id: courseId, student_id: 7 };
    const [first, second] = [newSubmission(), newSubmission()];
    for (const submission_id of [first, second])
      await courses.sendEvent('quiz.submission.graded.v1', quizGraded({ ...about, submission_id }));
    const withdraw = (submission_id: number) =>
      courses.sendEvent('quiz.submission.ungraded.v1', { ...about, submission_id, quiz_id: 7, revision: 9 });
    await withdraw(first);
    expect(await gradesOf(courseId)).toHaveLength(1);
    await withdraw(second);
    expect((await gradebook(courseId)).data).toEqual([]);
  });

  test('concurrent revisions end with the latest', async () => {
    const courseId = await courses.createCourse();
    const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
    const revisions = [3, 1, 8, 2, 7, 5, 6, 4];
    await Promise.all(
      revisions.map((revision) =>
        courses.sendEvent('quiz.submission.graded.v1', quizGraded({ ...about, grade: revision, revision })),
      ),
    );
    expect(await gradesOf(courseId)).toMatchObject([{ grade: 8 }]);
  });

  test('a redelivered event is applied once', async () => {
    const courseId = await courses.createCourse();
    const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
    const event = await courses.sendEvent(
      'quiz.submission.graded.v1',
      quizGraded({ ...about, grade: 4, revision: 1 }),
    );
    // The same id with other data: the higher revision would win if the event were applied again.
    const repeated = { ...event, data: quizGraded({ ...about, grade: 1, revision: 2 }) } as CloudEvent;
    await courses.publishEvent(repeated);
    await courses.sendEvent(
      'quiz.submission.graded.v1',
      quizGraded({ ...about, submission_id: newSubmission() }),
    );
    expect(await gradesOf(courseId)).toMatchObject([{ grade: 4 }, {}]);
  });

  test('an invalid event does not block the next one', async () => {
    const courseId = await courses.createCourse();
    const invalidData = { submission_id: newSubmission(), course_id: courseId } as never;
    const invalidEvent = createEvent('test', 'quiz.submission.graded.v1', 'submissions/1', invalidData);
    await courses.publishEvent(invalidEvent as CloudEvent, { applied: false });
    const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
    await courses.sendEvent('quiz.submission.graded.v1', quizGraded(about));
    expect(await gradesOf(courseId)).toHaveLength(1);
  });

  test('grades keep their decimals', async () => {
    const courseId = await courses.createCourse();
    const about = { course_id: courseId, student_id: 7, submission_id: newSubmission() };
    const grades = { grade: 0.1234, total_grade: 999_999.9999 };
    await courses.sendEvent('quiz.submission.graded.v1', quizGraded({ ...about, ...grades }));
    expect(await gradesOf(courseId)).toMatchObject([grades]);
  });
});

describe('the gradebook', () => {
  test('the gradebook lists all students who are enrolled or graded', async () => {
    const courseId = await courses.createCourse();
    const ungraded = await courses.createStudent(courseId, { lastName: 'A' });
    const gone = await courses.createStudent(courseId, { lastName: 'B' });
    const never = courses.createAccount({ lastName: 'C' });
    const goneUngraded = await courses.createStudent(courseId, { lastName: 'D' });
    for (const { id } of [gone, never])
      await courses.sendEvent(
        'quiz.submission.graded.v1',
        quizGraded({ course_id: courseId, student_id: id, submission_id: newSubmission() }),
      );
    for (const { id } of [gone, goneUngraded])
      await courses.request('DELETE', `/api/v3/admin/courses/${courseId}/students/${id}`);
    // The name of a student who was never enrolled is fetched after the event.
    await waitFor(async () => (await gradebook(courseId)).data.every(({ student_name }) => student_name));
    const { data, meta } = await gradebook(courseId);
    expect(data.map(({ student_id }) => student_id)).toEqual([ungraded.id, gone.id, never.id]);
    expect(data.map(({ student_name }) => student_name)).toEqual(['Ada A', 'Ada B', 'Ada C']);
    expect(data.map(({ grades }) => grades.length)).toEqual([0, 1, 1]);
    expect(data[0]?.student_email).toBeNull();
    expect(meta).toMatchObject({ total: 3, per_page: 50, from: 1, to: 3 });
  });

  test('the gradebook is paged by last name', async () => {
    const courseId = await courses.createCourse();
    for (const lastName of ['c', 'A', 'b']) await courses.createStudent(courseId, { lastName });
    const { data, links, meta } = await gradebook(courseId, '?per_page=2&page=2');
    expect(data.map(({ student_name }) => student_name)).toEqual(['Ada c']);
    expect(links.prev).toContain(`/api/v3/admin/courses/${courseId}/gradebook?per_page=2&page=1`);
    expect(meta).toMatchObject({ current_page: 2, last_page: 2, total: 3 });
    expect((await gradebook(courseId, '?page=3')).data).toEqual([]);
  });

  test('a deleted account keeps its grades without a name, after all other students', async () => {
    const courseId = await courses.createCourse();
    const [deleted, ungraded] = [
      await courses.createStudent(courseId),
      await courses.createStudent(courseId),
    ];
    const other = await courses.createStudent(courseId, { lastName: 'Zuse' });
    const about = { course_id: courseId, student_id: deleted.id, submission_id: newSubmission() };
    await courses.sendEvent('quiz.submission.graded.v1', quizGraded(about));
    for (const { id } of [deleted, ungraded])
      await courses.sendEvent('user.deleted.v1', userState({ user_id: id, revision: 2 }));
    expect((await gradebook(courseId)).data).toEqual([
      expect.objectContaining({ student_id: other.id }),
      {
        student_id: deleted.id,
        student_name: null,
        student_email: null,
        grades: [expect.objectContaining({ grade: 17.5 })],
      },
    ]);
  });

  test.each(['format=xlsx', 'format=', 'format=csv&format=csv'])('the query ?%s is 422', async (query) => {
    const answer = await courses.get(
      `/api/v3/admin/courses/${await courses.createCourse()}/gradebook?${query}`,
    );
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'Invalid Data', errors: { format: [expect.any(String)] } },
    });
  });
});

describe('own grades', () => {
  test('students see their own grades in all courses, newest first', async () => {
    const [one, two] = [await courses.createCourse(), await courses.createCourse()];
    const student = await courses.createStudent(one);
    const other = await courses.createStudent(one);
    const graded = { student_id: student.id, title: 'Essay' };
    await courses.sendEvent(
      'homework.submission.graded.v1',
      homeworkGraded({ ...graded, course_id: one, submission_id: newSubmission() }),
    );
    await courses.sendEvent(
      'quiz.submission.graded.v1',
      quizGraded({ ...graded, title: 'Test', course_id: two, submission_id: newSubmission() }),
    );
    await courses.sendEvent(
      'quiz.submission.graded.v1',
      quizGraded({ student_id: other.id, course_id: one, submission_id: newSubmission() }),
    );
    const { status, body } = await courses.get<Gradebook>('/api/v3/grades', student.token);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      {
        kind: 'quiz',
        title: 'Test',
        course_id: two,
        grade: 17.5,
        total_grade: 20,
        graded_at: '2026-03-02 10:00:00',
        late: null,
        final_grade: 17.5,
      },
      {
        kind: 'homework',
        title: 'Essay',
        course_id: one,
        grade: 8,
        total_grade: 10,
        graded_at: '2026-03-01 10:00:00',
        late: null,
        final_grade: 8,
      },
    ]);
    expect(body.meta).toMatchObject({ total: 2, per_page: 50 });
  });

  test('own grades are paged', async () => {
    const courseId = await courses.createCourse();
    const student = await courses.createStudent(courseId);
    for (let number = 1; number <= 3; number += 1)
      await courses.sendEvent(
        'quiz.submission.graded.v1',
        quizGraded({ course_id: courseId, student_id: student.id, submission_id: newSubmission() }),
      );
    const { body } = await courses.get<Gradebook>('/api/v3/grades?per_page=2&page=2', student.token);
    expect(body.data).toHaveLength(1);
    expect(body.meta).toMatchObject({ from: 3, to: 3, last_page: 2 });
  });
});

describe('titles', () => {
  const quizChanged = (id: number, title: string, revision: number) =>
    courses.sendEvent('quiz.changed.v1', { id, course_id: 1, title, revision });
  const grade = async (kind: 'homework' | 'quiz', itemId: number, courseId: number, studentId: number) => {
    const about = { course_id: courseId, student_id: studentId, submission_id: newSubmission() };
    if (kind === 'quiz')
      await courses.sendEvent(
        'quiz.submission.graded.v1',
        quizGraded({ ...about, quiz_id: itemId, title: 'Before' }),
      );
    else
      await courses.sendEvent(
        'homework.submission.graded.v1',
        homeworkGraded({ ...about, class_id: itemId, title: 'Before' }),
      );
  };
  /** The title of a student's only grade: in the gradebook, as CSV, and in the student's own list. */
  const titles = async (courseId: number, { token }: { token: string }) => {
    const [listed] = await gradesOf(courseId);
    const csv = await courses.get<string>(`/api/v3/admin/courses/${courseId}/gradebook?format=csv`);
    const own = await courses.get<{ data: { title: string }[] }>('/api/v3/grades', token);
    return [listed?.title, String(csv.body).includes(`,${listed?.title},`), own.body.data[0]?.title];
  };

  test('a renamed quiz has its new title everywhere, for earlier and later grades, and an older state changes nothing', async () => {
    const courseId = await courses.createCourse();
    const student = await courses.createStudent(courseId);
    await grade('quiz', 70, courseId, student.id);
    expect(await titles(courseId, student)).toEqual(['Before', true, 'Before']);
    await quizChanged(70, 'After', 3);
    expect(await titles(courseId, student)).toEqual(['After', true, 'After']);
    await quizChanged(70, 'Between', 2);
    // Its event was delayed.
    await grade('quiz', 70, courseId, student.id);
    expect((await gradesOf(courseId)).map(({ title }) => title)).toEqual(['After', 'After']);
  });

  test('a renamed class has its new title everywhere', async () => {
    const courseId = await courses.createCourse();
    const student = await courses.createStudent(courseId);
    const classId = await courses.createClass(courseId, 'Before');
    await grade('homework', classId, courseId, student.id);
    const path = `/api/v3/admin/classes/${classId}`;
    const renamed = await courses.request('PATCH', path, courses.admin, { title: 'After' });
    expect(renamed.status).toBe(200);
    expect(await titles(courseId, student)).toEqual(['After', true, 'After']);
    await courses.request('DELETE', path);
    expect(await titles(courseId, student)).toEqual(['After', true, 'After']);
  });
});
