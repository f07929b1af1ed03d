import { auditEvents } from '@gradeway/test/auditEvents';
import { createHttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import ICAL from 'ical.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, quizGraded, type Student, startCoursesService } from './coursesService.ts';
import { allowanceState, homeworkSubmitted, itemState, quizSubmitted } from './itemEvents.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

const dayMs = 86_400_000;
const startedAt = Math.floor(Date.now() / 1000) * 1000;
const inDays = (days: number): string => new Date(startedAt + days * dayMs).toISOString();

let lastId = 0;
const newId = () => {
  lastId += 1;
  return lastId;
};

type ItemChange = Parameters<typeof itemState>[0];

/** A published quiz that closes in a week. */
async function newQuiz(courseId: number, change: ItemChange = {}) {
  const item = { id: newId(), course_id: courseId, title: 'Quiz', closes_at: inDays(7), ...change };
  await courses.sendEvent('quiz.changed.v1', itemState(item));
  return {
    id: item.id,
    change: (later: ItemChange) => courses.sendEvent('quiz.changed.v1', itemState({ ...item, ...later })),
  };
}

async function subscribe({ token }: Pick<Student, 'token'>): Promise<string> {
  const { status, body } = await courses.request<{ data: { url: string } }>(
    'POST',
    '/api/v3/me/calendar',
    token,
  );
  expect(status).toBe(201);
  return body.data.url;
}

async function read(url: string, headers: Record<string, string> = {}) {
  const answer = await createHttpClient({ baseUrl: courses.service.url }).get(url, headers);
  return { ...answer, text: answer.body?.toString() as string };
}

/** The events of a calendar, parsed by a different library from the one that wrote it. */
async function eventsAt(url: string) {
  const { status, text } = await read(url);
  expect(status).toBe(200);
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      summary: event.summary,
      sequence: event.sequence,
      start: event.startDate.toJSDate(),
      end: event.endDate.toJSDate().toISOString(),
      url: component.getFirstPropertyValue('url'),
      lastModified: String(component.getFirstPropertyValue('last-modified')),
    };
  });
}

const summaries = async (url: string) => (await eventsAt(url)).map(({ summary }) => summary);

async function courseWithStudent(title?: string) {
  const courseId = await courses.createCourse(title);
  return { courseId, student: await courses.createStudent(courseId) };
}

describe('the address of a calendar', () => {
  test('a new address replaces the earlier one, and neither is stored', async () => {
    const { student } = await courseWithStudent();
    const first = await subscribe(student);
    const second = await subscribe(student);
    expect((await read(first)).status).toBe(404);
    expect((await read(second)).status).toBe(200);
    const stored = await courses.database.query('SELECT calendars::text AS row FROM courses.calendars');
    expect(JSON.stringify(stored)).not.toContain(tokenOf(second));
  });

  test('a deleted calendar is not found, and can be deleted again', async () => {
    const { student } = await courseWithStudent();
    const url = await subscribe(student);
    for (const _ of [1, 2])
      expect((await courses.request('DELETE', '/api/v3/me/calendar', student.token)).status).toBe(204);
    const { status, body } = await read(url);
    expect([status, body]).toEqual([404, { message: 'Not Found', errors: null }]);
  });

  test('a request without a session gets no address', async () => {
    expect((await courses.request('POST', '/api/v3/me/calendar', '')).status).toBe(401);
  });

  test('the token is in neither the log nor the audit log', async () => {
    const { student } = await courseWithStudent();
    const url = await subscribe(student);
    await read(url);
    await read(`${url.slice(0, -4)}.html?x=1`);
    await subscribe(student);
    await read(url);
    await courses.request('DELETE', '/api/v3/me/calendar', student.token);
    const object = { object_type: 'user', object_id: String(student.id) };
    const audited = await auditEvents(courses.database, 'courses', object);
    expect(audited.map(({ action }) => action)).toEqual([
      'calendar.created',
      'calendar.created',
      'calendar.deleted',
    ]);
    expect(JSON.stringify(audited)).not.toContain(tokenOf(url));
    await waitFor(() => courses.service.log().includes('/calendar/REDACTED'));
    expect(courses.service.log()).not.toContain(tokenOf(url));
  });

  test('the calendar of a blocked or deleted person is not found', async () => {
    const { student } = await courseWithStudent();
    const url = await subscribe(student);
    const account = courses.peers.users.find(({ userId }) => userId === student.id);
    if (!account) throw new Error('there is no such account');
    account.isBlocked = true;
    expect((await read(url)).status).toBe(404);
    account.isBlocked = false;
    expect((await read(url)).status).toBe(200);
    courses.peers.users.splice(courses.peers.users.indexOf(account), 1);
    expect((await read(url)).status).toBe(404);
  });
});

describe("a student's calendar", () => {
  test('an event ends at the closing time and links to the page', async () => {
    const { courseId, student } = await courseWithStudent('Algebra');
    await newQuiz(courseId, { title: 'Groups' });
    const url = await subscribe(student);
    expect(await eventsAt(url)).toEqual([
      expect.objectContaining({
        summary: 'Groups (Algebra)',
        end: inDays(7),
        url: `${new URL(url).origin}/my`,
        sequence: 0,
      }),
    ]);
  });

  test("a student sees the student's own closing time, and no one else does", async () => {
    const { courseId, student } = await courseWithStudent();
    const other = await courses.createStudent(courseId);
    const quiz = await newQuiz(courseId);
    const shared = { item_id: quiz.id, course_id: courseId, student_id: student.id };
    const allow = (closes_at: string, revision: number) =>
      courses.sendEvent('quiz.allowance.changed.v1', allowanceState({ ...shared, closes_at, revision }));
    await allow(inDays(9), 1);
    const [own, others] = [await subscribe(student), await subscribe(other)];
    expect((await eventsAt(own)).map(({ end }) => end)).toEqual([inDays(9)]);
    expect((await eventsAt(others)).map(({ end }) => end)).toEqual([inDays(7)]);
    // An allowance never shortens the time.
    await allow(inDays(5), 2);
    expect((await eventsAt(own)).map(({ end }) => end)).toEqual([inDays(7)]);
  });

  test('work that was handed in or excused is not shown', async () => {
    const { courseId, student } = await courseWithStudent();
    const quiz = await newQuiz(courseId, { title: 'Submitted' });
    const graded = await newQuiz(courseId, { title: 'Graded' });
    const excused = await newQuiz(courseId, { title: 'Excused' });
    await newQuiz(courseId, { title: 'Missing' });
    const ids = { course_id: courseId, student_id: student.id };
    const url = await subscribe(student);
    expect(await summaries(url)).toHaveLength(4);
    await courses.sendEvent(
      'quiz.submission.submitted.v1',
      quizSubmitted({ ...ids, submission_id: newId(), quiz_id: quiz.id }),
    );
    await courses.sendEvent(
      'quiz.submission.graded.v1',
      quizGraded({ ...ids, submission_id: newId(), quiz_id: graded.id }),
    );
    await courses.sendEvent(
      'quiz.allowance.changed.v1',
      allowanceState({ ...ids, item_id: excused.id, excused: true }),
    );
    expect(await summaries(url)).toEqual(['Missing (Algebra)']);
  });

  test("only published items of the student's paid courses with a closing time are shown, for 30 days", async () => {
    const { courseId, student } = await courseWithStudent();
    const otherCourse = await courses.createCourse();
    const deletedCourse = await courses.createCourse();
    for (const [id, paid] of [
      [otherCourse, false],
      [deletedCourse, true],
    ] as const)
      await courses.request('PUT', `/api/v3/admin/courses/${id}/students/${student.id}`, courses.admin, {
        paid,
      });
    await newQuiz(courseId, { title: 'Draft', published: false });
    await newQuiz(courseId, { title: 'Deleted', is_deleted: true });
    await newQuiz(courseId, { title: 'Always open', closes_at: null });
    await newQuiz(courseId, { title: 'Long ago', closes_at: inDays(-31) });
    await newQuiz(courseId, { title: 'Recent', closes_at: inDays(-29) });
    await newQuiz(courseId, { title: 'Upcoming', opens_at: inDays(1) });
    await newQuiz(otherCourse, { title: 'Unpaid' });
    await newQuiz(deletedCourse, { title: 'Of a deleted course' });
    await courses.request('DELETE', `/api/v3/admin/courses/${deletedCourse}`);
    expect(await summaries(await subscribe(student))).toEqual(['Recent (Algebra)', 'Upcoming (Algebra)']);
  });

  test('an assignment appears when it opens, under the current title of its class', async () => {
    const { courseId, student } = await courseWithStudent();
    const [opened, scheduled, removed] = [
      await courses.createClass(courseId, 'Opened'),
      await courses.createClass(courseId, 'Scheduled'),
      await courses.createClass(courseId, 'Removed'),
    ] as [number, number, number];
    const publish = (id: number, opens_at: string) =>
      courses.sendEvent(
        'homework.changed.v1',
        itemState({ id, course_id: courseId, closes_at: inDays(3), opens_at }),
      );
    await publish(opened, inDays(-1));
    await publish(scheduled, inDays(1));
    await publish(removed, inDays(-1));
    const url = await subscribe(student);
    await courses.request('PATCH', `/api/v3/admin/classes/${opened}`, courses.admin, { title: 'Renamed' });
    await courses.request('DELETE', `/api/v3/admin/classes/${removed}`);
    expect(await summaries(url)).toEqual(['Renamed (Algebra)']);
    await courses.sendEvent(
      'homework.submission.submitted.v1',
      homeworkSubmitted({
        submission_id: newId(),
        class_id: opened,
        course_id: courseId,
        student_id: student.id,
      }),
    );
    expect(await summaries(url)).toEqual([]);
  });
});

describe("a teacher's calendar", () => {
  test("an instructor sees the items of the instructor's courses, with links to them", async () => {
    const { courseId } = await courseWithStudent();
    const quiz = await newQuiz(courseId, { title: 'Own' });
    await newQuiz(await courses.createCourse(), { title: 'Of others' });
    await newQuiz(courseId, { title: 'Draft', published: false });
    const url = await subscribe(await courses.createInstructor([courseId]));
    const { origin } = new URL(url);
    expect(await eventsAt(url)).toEqual([
      expect.objectContaining({ summary: 'Own (Algebra)', url: `${origin}/grading/quizzes/${quiz.id}` }),
    ]);
  });

  test('an administrator sees the items of every course', async () => {
    const admin = courses.createAccount({ role: 'admin' });
    await newQuiz(await courses.createCourse('Anything'), { title: 'Anywhere' });
    expect(await summaries(await subscribe(admin))).toContain('Anywhere (Anything)');
  });
});

describe('changes', () => {
  test('SEQUENCE and LAST-MODIFIED change with the event alone', async () => {
    const { courseId, student } = await courseWithStudent();
    const quiz = await newQuiz(courseId);
    const url = await subscribe(student);
    const [first] = await eventsAt(url);
    expect(await eventsAt(url)).toEqual([first]);
    // A release of grades is a new revision of the item.
    await quiz.change({ released_at: null, revision: 2 });
    expect(await eventsAt(url)).toEqual([first]);
    await quiz.change({ closes_at: inDays(8), revision: 3 });
    const [second] = await eventsAt(url);
    expect(second).toMatchObject({ uid: first?.uid, sequence: 1, end: inDays(8) });
    // A new address leads to the same calendar.
    expect(await eventsAt(await subscribe(student))).toEqual([second]);
  });

  test('a calendar that has not changed is 304', async () => {
    const { courseId, student } = await courseWithStudent();
    const quiz = await newQuiz(courseId);
    const url = await subscribe(student);
    const { headers } = await read(url);
    expect(headers.get('cache-control')).toBe('private, max-age=300');
    expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    const cached = { 'if-none-match': headers.get('etag') ?? '' };
    const again = await read(url, cached);
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, null, headers.get('etag')]);
    await quiz.change({ title: 'Renamed', revision: 2 });
    expect((await read(url, cached)).status).toBe(200);
  });
});

describe('the text', () => {
  const words = 'اختبار 🎓 '.repeat(30).trim();
  const hostile = `A\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\nSUMMARY:B\u0007;,\\"\u2028: ${words}`;
  const onOneLine = `A END:VEVENT BEGIN:VEVENT SUMMARY:B ;,\\" : ${words}`;

  test('lines end with CRLF, have at most 75 octets and are not cut within a character', async () => {
    const { courseId, student } = await courseWithStudent();
    await newQuiz(courseId, { title: hostile });
    const { text } = await read(await subscribe(student));
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    const lines = text.split('\r\n');
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Zl}\uFFFD]/u);
    expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    expect(text).toMatch(/DTEND:\d{8}T\d{6}Z\r\n/);
  });

  test('a title cannot add lines, events or properties', async () => {
    const { courseId, student } = await courseWithStudent(`Course\r\nX:1`);
    await newQuiz(courseId, { title: hostile });
    const events = await eventsAt(await subscribe(student));
    expect(events).toHaveLength(1);
    expect(events[0]?.summary).toBe(`${onOneLine} (Course X:1)`);
  });
});

test('a calendar has at most the 1,000 nearest events', async () => {
  const courseId = await courses.createCourse();
  const teacher = await courses.createInstructor([courseId]);
  const insert = `
    INSERT INTO courses.gradebook_items (kind, item_id, course_id, title, created_at, published, closes_at, anonymous, is_deleted, revision)
    SELECT 'quiz', 500000 + n, $1, 'Quiz ' || n, now(), true, now() + n * interval '1 hour', false, false, 1
    FROM generate_series(1, 1010) AS n`;
  await courses.database.query(insert, [courseId]);
  const titles = await summaries(await subscribe(teacher));
  expect(titles).toHaveLength(1_000);
  expect(titles[0]).toBe('Quiz 1 (Algebra)');
  expect(titles.at(-1)).toBe('Quiz 1000 (Algebra)');
  await courses.database.query('DELETE FROM courses.gradebook_items WHERE course_id = $1', [courseId]);
});

const tokenOf = (url: string): string => /calendar\/([\w-]+)\.ics$/.exec(url)?.[1] ?? 'no token';
