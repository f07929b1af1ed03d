import type { LateRule } from '@gradeway/shared/items/item';
import { auditEvents } from '@gradeway/test/auditEvents';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, homeworkGraded, quizGraded, startCoursesService } from './coursesService.ts';
import { allowanceState, homeworkSubmitted, itemState, quizSubmitted } from './itemEvents.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

interface Cell {
  state: string;
  [property: string]: unknown;
}

interface Grid {
  data: {
    items: Record<string, unknown>[];
    students: { student_id: number; cells: Cell[]; [property: string]: unknown }[];
  };
  links: Record<string, string | null>;
  meta: Record<string, unknown>;
}

let lastId = 0;
const newId = () => {
  lastId += 1;
  return lastId;
};
const admins = (courseId: number) => `/api/v3/admin/courses/${courseId}/gradebook`;
const graders = (courseId: number) => `/api/v3/grading/courses/${courseId}/gradebook`;
const grid = async (path: string, query = '', token = courses.admin) => {
  const { status, body } = await courses.get<Grid>(`${path}?format=grid${query}`, token);
  expect(status).toBe(200);
  return body;
};
const file = async (path: string, query = '') => {
  const { body } = await courses.get<Buffer>(`${path}?format=grid.csv${query}`);
  return body.toString();
};

const closesAt = '2026-03-02T09:00:00.000Z';
const late: LateRule = {
  until: '2026-03-09T09:00:00.000Z',
  graceMinutes: 5,
  penaltyPercent: 10,
  per: 'day',
  floorPercent: 0,
};
const none = {
  state: 'missing',
  grade: null,
  final_grade: null,
  hidden: false,
  late: null,
  submission_id: null,
};

/** A course with one quiz, and functions that publish events about it. */
async function courseWithQuiz(change: Parameters<typeof itemState>[0] = {}) {
  const courseId = await courses.createCourse();
  const quizId = newId();
  const of = (studentId: number, submissionId: number) => ({
    course_id: courseId,
    quiz_id: quizId,
    student_id: studentId,
    submission_id: submissionId,
  });
  const item = { id: quizId, course_id: courseId, title: 'Quiz', ...change };
  await courses.sendEvent('quiz.changed.v1', itemState(item));
  return {
    courseId,
    quizId,
    changed: (later: Parameters<typeof itemState>[0]) =>
      courses.sendEvent('quiz.changed.v1', itemState({ ...item, ...later })),
    submitted: (studentId: number, submissionId: number, more: Parameters<typeof quizSubmitted>[0] = {}) =>
      courses.sendEvent(
        'quiz.submission.submitted.v1',
        quizSubmitted({ ...of(studentId, submissionId), ...more }),
      ),
    waived: (studentId: number, submissionId: number, more: Parameters<typeof quizSubmitted>[0] = {}) =>
      courses.sendEvent(
        'quiz.submission.lateness.changed.v1',
        quizSubmitted({ ...of(studentId, submissionId), late_waived: true, ...more }),
      ),
    graded: (studentId: number, submissionId: number, more: Parameters<typeof quizGraded>[0] = {}) =>
      courses.sendEvent('quiz.submission.graded.v1', quizGraded({ ...of(studentId, submissionId), ...more })),
    ungraded: (studentId: number, submissionId: number, revision: number) =>
      courses.sendEvent('quiz.submission.ungraded.v1', { ...of(studentId, submissionId), revision }),
    allowed: (studentId: number, more: Parameters<typeof allowanceState>[0]) =>
      courses.sendEvent(
        'quiz.allowance.changed.v1',
        allowanceState({ item_id: quizId, course_id: courseId, student_id: studentId, ...more }),
      ),
    cell: async (path = admins(courseId)) => {
      const { data } = await grid(path);
      return data.students.map(({ cells }) => cells[0]);
    },
  };
}

describe('the grid', () => {
  test('the grid has the published items of both kinds, oldest first, and a cell for each student in their order', async () => {
    const courseId = await courses.createCourse();
    const classId = await courses.createClass(courseId, 'Class 1');
    const ada = await courses.createStudent(courseId, { email: 'ada@example.org' });
    const zoe = await courses.createStudent(courseId, { firstName: 'Zoe', lastName: 'Young' });
    const [first, draft, deleted, last] = [newId(), newId(), newId(), newId()];
    const quiz = (id: number, created: string, change = {}) =>
      courses.sendEvent(
        'quiz.changed.v1',
        itemState({ id, course_id: courseId, title: `Quiz ${id}`, created_at: created, ...change }),
      );
    await quiz(last, '2026-03-03T08:00:00.000Z', {
      total_grade: null,
      released_at: null,
      closes_at: closesAt,
    });
    await quiz(first, '2026-03-01T08:00:00.000Z');
    await quiz(draft, '2026-03-01T08:00:00.000Z', { published: false });
    await quiz(deleted, '2026-03-01T08:00:00.000Z', { is_deleted: true });
    const assignment = { id: classId, course_id: courseId, created_at: '2026-03-02T08:00:00.000Z' };
    await courses.sendEvent('homework.changed.v1', itemState({ ...assignment, total_grade: null }));
    const [sheet, work, pending] = [newId(), newId(), newId()];
    await courses.sendEvent(
      'quiz.submission.graded.v1',
      quizGraded({ course_id: courseId, quiz_id: first, student_id: ada.id, submission_id: sheet }),
    );
    await courses.sendEvent(
      'homework.submission.graded.v1',
      homeworkGraded({ course_id: courseId, class_id: classId, student_id: ada.id, submission_id: work }),
    );
    await courses.sendEvent(
      'homework.submission.submitted.v1',
      homeworkSubmitted({
        course_id: courseId,
        class_id: classId,
        student_id: zoe.id,
        submission_id: pending,
      }),
    );
    const graded = { state: 'graded', hidden: false, late: null };
    const body = await grid(admins(courseId));
    expect(body.data).toEqual({
      items: [
        {
          kind: 'quiz',
          item_id: first,
          title: `Quiz ${first}`,
          total_grade: 20,
          closes_at: null,
          released_at: '2026-03-01T08:00:00Z',
          mean: 17.5,
          graded: 1,
        },
        {
          kind: 'homework',
          item_id: classId,
          title: 'Class 1',
          total_grade: 10,
          closes_at: null,
          released_at: '2026-03-01T08:00:00Z',
          mean: 8,
          graded: 1,
        },
        {
          kind: 'quiz',
          item_id: last,
          title: `Quiz ${last}`,
          total_grade: null,
          closes_at: '2026-03-02T09:00:00Z',
          released_at: null,
          mean: null,
          graded: 0,
        },
      ],
      students: [
        {
          student_id: ada.id,
          name: 'Ada Lovelace',
          email: 'ada@example.org',
          cells: [
            { ...graded, grade: 17.5, final_grade: 17.5, submission_id: sheet },
            { ...graded, grade: 8, final_grade: 8, submission_id: work },
            none,
          ],
          points: 25.5,
          possible: 30,
          percent: 85,
        },
        {
          student_id: zoe.id,
          name: 'Zoe Young',
          email: null,
          cells: [none, { ...none, state: 'submitted', submission_id: pending }, none],
          points: 0,
          possible: 0,
          percent: null,
        },
      ],
    });
    expect(body.meta).toMatchObject({ total: 2, per_page: 50 });
  });

  test('the grid is paged by last name', async () => {
    const { courseId } = await courseWithQuiz();
    for (const lastName of ['c', 'A', 'b']) await courses.createStudent(courseId, { lastName });
    const { data, links, meta } = await grid(admins(courseId), '&per_page=2&page=2');
    expect(data.students.map(({ name }) => name)).toEqual(['Ada c']);
    expect(data.items).toHaveLength(1);
    expect(links.prev).toContain('/gradebook?format=grid&per_page=2&page=1');
    expect(meta).toMatchObject({ current_page: 2, last_page: 2, total: 3 });
  });

  test('a new title of a class or a quiz, and a quiz that moves to another course, change the grid', async () => {
    const { courseId, changed } = await courseWithQuiz();
    await changed({ title: 'New title', revision: 2 });
    expect((await grid(admins(courseId))).data.items).toMatchObject([{ title: 'New title' }]);
    const other = await courses.createCourse();
    await changed({ course_id: other, revision: 3 });
    expect((await grid(admins(courseId))).data.items).toEqual([]);
    expect((await grid(admins(other))).data.items).toHaveLength(1);
    await changed({ title: 'Late event', revision: 2 });
    expect((await grid(admins(courseId))).data.items).toEqual([]);
  });

  test('the assignment of a deleted class leaves the grid', async () => {
    const courseId = await courses.createCourse();
    const classId = await courses.createClass(courseId);
    await courses.sendEvent('homework.changed.v1', itemState({ id: classId, course_id: courseId }));
    expect((await grid(admins(courseId))).data.items).toHaveLength(1);
    await courses.request('DELETE', `/api/v3/admin/classes/${classId}`);
    expect((await grid(admins(courseId))).data.items).toEqual([]);
  });
});

describe('a cell', () => {
  test('a grade that is undone leaves the grid, and the submission remains', async () => {
    const { courseId, graded, ungraded, cell } = await courseWithQuiz();
    const { id } = await courses.createStudent(courseId);
    await graded(id, 31_000, { revision: 1 });
    expect(await cell()).toMatchObject([{ state: 'graded', submission_id: 31_000 }]);
    await ungraded(id, 31_000, 2);
    expect(await cell()).toEqual([{ ...none, state: 'submitted', submission_id: 31_000 }]);
    const statistics = async () => (await grid(admins(courseId))).data.items;
    expect(await statistics()).toMatchObject([{ graded: 0, mean: null }]);
    await graded(id, 31_000, { grade: 10, revision: 3 });
    await graded(id, 31_000, { grade: 12, revision: 4 });
    expect(await statistics()).toMatchObject([{ graded: 1, mean: 12 }]);
    await courses.database.query('DELETE FROM courses.grades WHERE submission_id = 31000');
    expect(await statistics()).toMatchObject([{ graded: 0, mean: null }]);
  });

  test('a submission from an event of an earlier version is not late, and becomes late with a later event', async () => {
    const { courseId, quizId, submitted, cell } = await courseWithQuiz({ closes_at: closesAt, late });
    const { id } = await courses.createStudent(courseId);
    const about = { course_id: courseId, quiz_id: quizId, student_id: id, submission_id: 32_000 };
    await courses.sendEvent('quiz.submission.submitted.v1', about);
    expect(await cell()).toMatchObject([{ state: 'submitted', late: null }]);
    await submitted(id, 32_000, { submitted_at: '2026-03-02T10:00:00.000Z' });
    const expected = { state: 'submitted', late: { minutes: 60, penalty_percent: 10, points: null } };
    expect(await cell()).toMatchObject([expected]);
    await courses.sendEvent('quiz.submission.submitted.v1', about);
    expect(await cell()).toMatchObject([expected]);
  });

  test('late work has a penalty, which an extension, a waiver or a new rule changes in any order of events', async () => {
    const scene = await courseWithQuiz({ closes_at: closesAt, late });
    const { courseId, submitted, waived, graded, allowed, changed, cell } = scene;
    const { id, token } = await courses.createStudent(courseId);
    const penalty = (minutes: number, percent: number, points: number) => ({
      grade: 17.5,
      late: { minutes, penalty_percent: percent, points },
      final_grade: 17.5 - points,
    });
    const inTime = { grade: 17.5, late: null, final_grade: 17.5 };
    const both = async () => {
      const own = await courses.get<{ data: object[] }>('/api/v3/grades', token);
      const [listed, shown] = [(await cell())[0], own.body.data[0]];
      const { late: lateness, final_grade, grade } = shown as Record<string, unknown>;
      expect({ grade, late: lateness, final_grade }).toEqual({
        grade: listed?.grade,
        late: listed?.late,
        final_grade: listed?.final_grade,
      });
      return listed;
    };
    await graded(id, 33_000);
    await submitted(id, 33_000, { submitted_at: '2026-03-03T10:00:00.000Z', state_revision: 1 });
    expect(await both()).toMatchObject(penalty(25 * 60, 20, 3.5));
    await allowed(id, { closes_at: '2026-03-03T09:30:00.000Z', revision: 2 });
    expect(await both()).toMatchObject(penalty(30, 10, 1.75));
    await allowed(id, { closes_at: '2026-03-05T09:30:00.000Z', revision: 1 });
    expect(await both()).toMatchObject(penalty(30, 10, 1.75));
    await allowed(id, { closes_at: '2026-03-05T09:30:00.000Z', revision: 3 });
    expect(await both()).toMatchObject(inTime);
    await allowed(id, { closes_at: '2026-03-05T09:30:00.000Z', is_removed: true, revision: 4 });
    expect(await both()).toMatchObject(penalty(25 * 60, 20, 3.5));
    await changed({ closes_at: closesAt, late: { ...late, per: 'once' }, revision: 2 });
    expect(await both()).toMatchObject(penalty(25 * 60, 10, 1.75));
    await waived(id, 33_000, { submitted_at: '2026-03-03T10:00:00.000Z', state_revision: 3 });
    expect(await both()).toMatchObject(inTime);
    await waived(id, 33_000, {
      submitted_at: '2026-03-03T10:00:00.000Z',
      late_waived: false,
      state_revision: 2,
    });
    expect(await both()).toMatchObject(inTime);
  });

  test('an excuse overrides every other state, and excused grades are excluded from sums and means', async () => {
    const { courseId, graded, allowed } = await courseWithQuiz();
    const [one, other, absent] = [
      await courses.createStudent(courseId, { lastName: 'A' }),
      await courses.createStudent(courseId, { lastName: 'B' }),
      await courses.createStudent(courseId, { lastName: 'C' }),
    ];
    await graded(one.id, 34_001, { grade: 10 });
    await graded(other.id, 34_002, { grade: 20 });
    for (const { id } of [one, absent]) await allowed(id, { excused: true });
    const { items, students } = (await grid(admins(courseId))).data;
    expect(items).toMatchObject([{ graded: 1, mean: 20 }]);
    expect(students.map(({ cells }) => cells[0]?.state)).toEqual(['excused', 'graded', 'excused']);
    expect(students).toMatchObject([
      { points: 0, possible: 0, percent: null },
      { points: 20, possible: 20, percent: 100 },
      { points: 0, possible: 0, percent: null },
    ]);
    await allowed(one.id, { excused: true, is_removed: true, revision: 2 });
    expect((await grid(admins(courseId))).data.items).toMatchObject([{ graded: 2, mean: 15 }]);
  });

  test('a held-back grade is marked and counts in the sums', async () => {
    const { courseId, graded } = await courseWithQuiz({ released_at: null });
    const { id } = await courses.createStudent(courseId);
    await graded(id, 35_000);
    for (const path of [admins(courseId), graders(courseId)])
      expect((await grid(path)).data.students).toMatchObject([
        {
          cells: [{ state: 'graded', grade: 17.5, hidden: true }],
          points: 17.5,
          possible: 20,
          percent: 87.5,
        },
      ]);
  });

  test('cells of an anonymous item reveal nothing to graders until the grades are released', async () => {
    const anonymous = { released_at: null, anonymous: true, closes_at: closesAt, late };
    const { courseId, graded, submitted, allowed, changed, cell } = await courseWithQuiz(anonymous);
    const { token } = await courses.createInstructor([courseId]);
    const names = ['A', 'B', 'C', 'D'];
    const [a, b, , d] = await Promise.all(
      names.map((lastName) => courses.createStudent(courseId, { lastName })),
    );
    for (const [student, submissionId] of [
      [a, 36_001],
      [b, 36_002],
    ] as const)
      await submitted(student?.id ?? 0, submissionId, { submitted_at: '2026-03-03T10:00:00.000Z' });
    await graded(a?.id ?? 0, 36_001);
    await allowed(d?.id ?? 0, { excused: true });
    const states = ['submitted', 'submitted', 'missing', 'excused'];
    for (const reader of [token, courses.admin]) {
      const { data } = await grid(graders(courseId), '', reader);
      expect(data.students.map(({ cells }) => cells[0])).toEqual(states.map((state) => ({ ...none, state })));
      for (const { points, possible, percent } of data.students)
        expect([points, possible, percent]).toEqual([0, 0, null]);
    }
    expect(await cell()).toMatchObject([
      { state: 'graded', submission_id: 36_001, final_grade: 14 },
      { state: 'submitted', submission_id: 36_002, late: { minutes: 25 * 60 } },
      { state: 'missing' },
      { state: 'excused' },
    ]);
    await changed({ ...anonymous, released_at: closesAt, revision: 2 });
    expect(await cell(graders(courseId))).toEqual(await cell());
  });
});

describe('the file of the grid', () => {
  test('the file has a row for each student and a column for each item, with final grades of graded cells', async () => {
    const scene = await courseWithQuiz({ closes_at: closesAt, late, title: '=1+1, "x"' });
    const { courseId, graded, submitted, allowed } = scene;
    const classId = await courses.createClass(courseId, '@class');
    const item = { id: classId, course_id: courseId, created_at: '2026-03-09T08:00:00.000Z' };
    await courses.sendEvent('homework.changed.v1', itemState(item));
    const [a, b, c] = [
      await courses.createStudent(courseId, { firstName: '+Ada', lastName: 'A', email: 'a@example.org' }),
      await courses.createStudent(courseId, { firstName: 'Zoë', lastName: 'B' }),
      await courses.createStudent(courseId, { firstName: 'Bea', lastName: 'C' }),
    ];
    await submitted(a.id, 37_001, { submitted_at: '2026-03-03T10:00:00.000Z' });
    await graded(a.id, 37_001, { grade: 17.5 });
    await submitted(b.id, 37_002);
    await graded(c.id, 37_003);
    await allowed(c.id, { excused: true });
    const answer = await courses.get<Buffer>(`${graders(courseId)}?format=grid.csv`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="gradebook-${courseId}.csv"`,
    );
    expect(answer.body.toString().split('\r\n')).toEqual([
      `student_id,name,email,"'=1+1, ""x""",'@class,points,possible,percent`,
      `${a.id},'+Ada A,a@example.org,14,,14,20,70`,
      `${b.id},Zoë B,,,,0,0,`,
      `${c.id},Bea C,,,,0,0,`,
      '',
    ]);
    const entry = {
      object_type: 'course',
      object_id: String(courseId),
      action: 'gradebook.exported' as const,
    };
    expect(await auditEvents(courses.database, 'courses', entry)).toHaveLength(1);
  });

  test('the file has a byte order mark, semicolons and decimal commas on request', async () => {
    const { courseId, graded } = await courseWithQuiz({ title: 'a;b' });
    const { id } = await courses.createStudent(courseId, { lastName: 'A' });
    await graded(id, 38_001, { grade: 8.25, total_grade: 9 });
    const rows = (text: string) => text.split('\r\n');
    expect(rows(await file(admins(courseId), '&bom=1&delimiter=;&decimal=,'))).toEqual([
      '\uFEFFstudent_id;name;email;"a;b";points;possible;percent',
      `${id};Ada A;;8,25;8,25;9;91,67`,
      '',
    ]);
    expect(rows(await file(admins(courseId), '&decimal=,'))[1]).toBe(`${id},Ada A,,"8,25","8,25",9,"91,67"`);
  });

  test('a client that accepts only CSV gets the grid as a file, and Accept affects no other format', async () => {
    const { courseId } = await courseWithQuiz();
    const typeOf = async (query: string, accept: string) => {
      const headers = { authorization: `Bearer ${courses.admin}`, accept };
      const answer = await fetch(`${courses.service.url}${admins(courseId)}${query}`, { headers });
      return answer.headers.get('content-type')?.split(';')[0];
    };
    expect(await typeOf('?format=grid', 'text/csv')).toBe('text/csv');
    expect(await typeOf('?format=grid', 'text/csv, application/json;q=0.5')).toBe('text/csv');
    expect(await typeOf('?format=grid', 'application/json, text/csv')).toBe('application/json');
    expect(await typeOf('?format=grid', '*/*')).toBe('application/json');
    expect(await typeOf('', 'text/csv')).toBe('application/json');
    expect(await typeOf('?format=csv', 'application/json')).toBe('text/csv');
  });

  test.each(['format=grid.xlsx', 'format=grid&delimiter=|', 'format=grid.csv&decimal=;'])(
    'the query ?%s is 422',
    async (query) => {
      const answer = await courses.get(`${admins(await courses.createCourse())}?${query}`);
      expect(answer).toMatchObject({ status: 422, body: { message: 'Invalid Data' } });
    },
  );

  test('the grid of an unknown course and of one that an instructor does not teach is 404', async () => {
    const { courseId } = await courseWithQuiz();
    const { token } = await courses.createInstructor([await courses.createCourse()]);
    for (const format of ['grid', 'grid.csv']) {
      expect((await courses.get(`${admins(2_000_000_000)}?format=${format}`)).status).toBe(404);
      expect((await courses.get(`${graders(courseId)}?format=${format}`, token)).status).toBe(404);
    }
  });

  test('the file of a large course has each student once, in the order of the pages', async () => {
    const { courseId, quizId } = await courseWithQuiz();
    const many = 450;
    await courses.database.query(`SET search_path = courses;
      INSERT INTO people SELECT 60000 + i, 'F' || i % 3, 'L' || i % 2, null, i % 50 = 0, 1 FROM generate_series(1, ${many}) i;
      INSERT INTO roster (course_id, user_id, is_enrolled) SELECT ${courseId}, 60000 + i, i % 3 = 0 FROM generate_series(1, ${many}) i;
      UPDATE roster SET is_graded = true WHERE course_id = ${courseId} AND user_id % 3 <> 0;
      INSERT INTO grades (kind, submission_id, course_id, student_id, item_id, title, grade, total_grade, graded_at, revision)
        SELECT 'quiz', 60000 + i, ${courseId}, 60000 + i, ${quizId}, 'Quiz', i, 1000, now(), 1 FROM generate_series(1, ${many}) i`);
    const lines = (await file(admins(courseId))).trimEnd().split('\r\n').slice(1);
    const listed: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { students } = (await grid(admins(courseId), `&per_page=200&page=${page}`)).data;
      listed.push(...students.map(({ student_id, points }) => `${student_id} ${points}`));
    }
    expect(new Set(listed).size).toBe(listed.length);
    expect(lines.map((line) => [line.split(',')[0], line.split(',').at(-3)].join(' '))).toEqual(listed);
  });
});

test('events of many submissions arrive in any order, repeatedly and together, and the newest state counts', async () => {
  const { courseId, quizId } = await courseWithQuiz({ closes_at: closesAt, late });
  const students = await Promise.all(Array.from({ length: 8 }, () => courses.createStudent(courseId)));
  const events = students.flatMap(({ id }, index) =>
    [1, 2, 3].map((revision) => ({
      course_id: courseId,
      quiz_id: quizId,
      student_id: id,
      submission_id: 39_000 + index,
      submitted_at: `2026-03-0${revision + 1}T10:00:00.000Z`,
      state_revision: revision,
    })),
  );
  const shuffled = [...events, ...events].toSorted(() => Math.random() - 0.5);
  await Promise.all(
    shuffled.map((event) => courses.sendEvent('quiz.submission.submitted.v1', quizSubmitted(event))),
  );
  const { data } = await grid(admins(courseId));
  expect(data.students.map(({ cells }) => cells[0]?.late)).toEqual(
    students.map(() => ({ minutes: 49 * 60, penalty_percent: 30, points: null })),
  );
});
