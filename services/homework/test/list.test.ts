import { createHttpClient } from '@gradeway/test/httpClient';
import { type WatchedDatabase, watchDatabase } from '@gradeway/test/watchedDatabase';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type HomeworkObject,
  type HomeworkService,
  type SubmissionObject,
  startHomeworkService,
} from './homeworkService.ts';

let homework: HomeworkService;
let watched: WatchedDatabase;
beforeAll(async () => {
  homework = await startHomeworkService(async (database) => {
    watched = await watchDatabase(database.url('homework'));
    return { DATABASE_URL: watched.url, APP_TIMEZONE: 'Europe/Vienna' };
  });
});
afterAll(async () => {
  await homework.close();
  watched.close();
});

interface List {
  data: HomeworkObject[];
  total: number;
  [field: string]: unknown;
}

const list = async (query = ''): Promise<List> =>
  (await homework.get(`/api/v3/admin/homeworks${query}`, homework.admin)).body;

/** A course with some classes that have an assignment, newest last. */
async function newCourse(count: number) {
  const first = await homework.setUp();
  const classIds = [first.classId];
  while (classIds.length < count) {
    const { classId } = homework.setUpClass();
    for (const known of homework.peers.classes)
      if (known.classId === classId) Object.assign(known, { courseId: first.courseId });
    expect((await homework.put(classId)).status).toBe(201);
    classIds.push(classId);
  }
  return { ...first, classIds };
}

test('the list of homework contains every property of the specification', async () => {
  const fields = { assignment_deadline: '2099-07-01T15:05:00', assignment_description: 'Read chapter 2.' };
  const { classId, courseId, student } = await homework.setUp(fields);
  await homework.put(classId, { file: homework.pdf });
  const { id } = await homework.submitted(classId, student);
  const expected = {
    id: classId,
    title: `Class ${classId}`,
    course_id: courseId,
    course_title: `Course ${courseId}`,
    has_assignment: true,
    assignment_deadline: '01/07/2099 03:05 PM',
    assignment_description: 'Read chapter 2.',
    assignment_file_url: expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:\d+\/api\/v3\/files\/homework\/\d+\?expires=/,
    ),
    created_at: expect.stringMatching(/^2026-01-01 01:0\d:\d\d$/),
    submissions: [
      {
        id,
        student_id: student.id,
        student_name: `Ada Student ${student.id}`,
        student_email: `${student.id}@school.example`,
        rating: null,
        instructor_comment: null,
        is_reviewed: false,
        submitted_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        files: [
          {
            id: expect.any(Number),
            name: 'answer.pdf',
            url: expect.stringContaining('/api/v3/files/homework/'),
          },
        ],
        download_url: `${homework.service.url}/api/v3/assignments/download/${id}`,
      },
    ],
  };
  expect((await list(`?course_id=${courseId}`)).data).toEqual([expected]);
  expect(await homework.homework(classId)).toEqual(expected);
});

test('the list of homework has null for missing properties and an empty list for missing submissions', async () => {
  const { classId } = await homework.setUp();
  expect(await homework.homework(classId)).toMatchObject({
    assignment_deadline: null,
    assignment_description: null,
    assignment_file_url: null,
    submissions: [],
  });
});

test('a submission without files has no `files` in the list, and an empty list in a single class', async () => {
  const { classId, courseId, student } = await homework.setUp();
  const { id, files } = await homework.submitted(classId, student);
  const path = `/api/v3/admin/homeworks/submissions/${id}/files/${files[0]?.id}`;
  const removed = await homework.call(path, homework.admin, { method: 'DELETE' });
  expect(removed.status).toBe(204);
  const [listed] = (await list(`?course_id=${courseId}`)).data;
  expect(listed?.submissions[0]).toMatchObject({ id, download_url: null });
  expect(listed?.submissions[0]).not.toHaveProperty('files');
  expect((await homework.homework(classId)).submissions[0]).toMatchObject({ files: [], download_url: null });
});

test('the envelope of the list of homework describes the page, and its URLs keep the filter', async () => {
  const { courseId, classIds } = await newCourse(3);
  const path = `${homework.service.url}/api/v3/admin/homeworks`;
  const query = `course_id=${courseId}&per_page=2`;
  const { data: first, ...envelope } = await list(`?${query}`);
  expect(first.map(({ id }) => id)).toEqual([classIds[2], classIds[1]]);
  expect(envelope).toEqual({
    current_page: 1,
    first_page_url: `${path}?${query}&page=1`,
    from: 1,
    last_page: 2,
    last_page_url: `${path}?${query}&page=2`,
    next_page_url: `${path}?${query}&page=2`,
    path,
    per_page: 2,
    prev_page_url: null,
    to: 2,
    total: 3,
  });
  const second = await list(`?${query}&page=2`);
  expect(second.data.map(({ id }) => id)).toEqual([classIds[0]]);
  expect(second).toMatchObject({ from: 3, to: 3, next_page_url: null, current_page: 2 });
  const past = await list(`?${query}&page=9`);
  expect(past).toMatchObject({ data: [], from: null, to: null, total: 3, last_page: 2, next_page_url: null });
});

test('without a filter the list of homework covers all courses, with 15 classes per page and at most 100', async () => {
  expect(await list()).toMatchObject({ per_page: 15, current_page: 1 });
  expect(await list('?per_page=5000')).toMatchObject({ per_page: 100 });
  const [row] = await homework.rows<{ count: number }>(
    'SELECT count(*)::integer FROM homework.classes WHERE is_listed',
  );
  expect((await list()).total).toBe(row?.count);
});

test('the list of homework is empty for an unknown course', async () => {
  for (const id of ['999999', '99999999999'])
    expect(await list(`?course_id=${id}`)).toMatchObject({ data: [], total: 0, from: null, last_page: 1 });
});

describe('a malformed parameter is a ValidationError (D5, D39)', () => {
  test.each([
    ['page=0', 'page', 'The page must be at least 1.'],
    ['page=x', 'page', 'The page must be an integer.'],
    ['per_page=-1', 'per_page', 'The per page must be an integer.'],
    ['per_page=1.5', 'per_page', 'The per page must be an integer.'],
    ['course_id=abc', 'course_id', 'The course id must be an integer.'],
    ['course_id=0', 'course_id', 'The course id must be at least 1.'],
    ['course_id=1&course_id=2', 'course_id', 'The course id must be an integer.'],
  ])('%s', async (query, field, message) => {
    const answer = await homework.get(`/api/v3/admin/homeworks?${query}`, homework.admin);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ message: 'ValidationError', errors: { [field]: [message] } });
  });
});

describe('a request for a single class', () => {
  test.each(['abc', '0', '1e3', '2147483648', ' 1'])(
    'a request for a single class returns the standard 404 for the id %s',
    async (id) => {
      const answer = await homework.get(`/api/v3/admin/homeworks/${encodeURIComponent(id)}`, homework.admin);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: 'Not Found', errors: null });
    },
  );

  test('a request for a single class returns 404 if it is unknown or has no assignment', async () => {
    const { classId } = homework.setUpClass();
    for (const id of [999_999, classId]) {
      const answer = await homework.get(`/api/v3/admin/homeworks/${id}`, homework.admin);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: 'PDF Homework not found', errors: null });
    }
  });
});

// The signatures in two responses may be from different minutes.
const unsigned = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/expires=\d+&signature=[\w-]+/g, ''));

test('the list of homework has the same objects as single responses, whatever characters their texts contain', async () => {
  const { classId, courseId } = await homework.setUp();
  const odd = 'a "b" \\ \n \u001e\u001f , 宿題 \u2028';
  const student = homework.enroll(courseId, {
    firstName: odd,
    lastName: '',
    email: `"x y"\u001f@school.example`,
  });
  const unnamed = homework.enroll(courseId, { firstName: '', lastName: '', email: '' });
  const { id } = await homework.submitted(classId, student, ['one.pdf', 'two "2".pdf']);
  await homework.submitted(classId, unnamed);
  expect((await homework.grade(id, { rating: 7, comment: odd })).status).toBe(200);
  const [listed] = (await list(`?course_id=${courseId}`)).data;
  expect(unsigned(listed)).toEqual(unsigned(await homework.homework(classId)));
  expect(listed?.submissions[0]).toMatchObject({ rating: 7, instructor_comment: odd });
  expect(listed?.submissions[0]?.files).toHaveLength(2);
});

test('the list of homework shows changes made since it was last read', async () => {
  const { classId, courseId, student } = await homework.setUp();
  const { id } = await homework.submitted(classId, student);
  const listed = async () => {
    const { data } = await list(`?course_id=${courseId}`);
    expect(unsigned(data)).toEqual(unsigned([await homework.homework(classId)]));
    return data[0]?.submissions;
  };
  expect(await listed()).toMatchObject([{ id, is_reviewed: false }]);

  await homework.grade(id, { rating: 7, comment: 'Good' });
  expect(await listed()).toMatchObject([{ rating: 7, instructor_comment: 'Good', is_reviewed: true }]);

  await homework.rows("UPDATE homework.people SET first_name = 'Eva' WHERE user_id = $1", student.id);
  expect(await listed()).toMatchObject([{ student_name: `Eva Student ${student.id}` }]);

  const other = await homework.submitted(classId, homework.enroll(courseId));
  expect(await listed()).toMatchObject([{ id }, { id: other.id }]);
});

test('the list of homework has URLs with the requested host, even right after a request to another host', async () => {
  const { classId, courseId, student } = await homework.setUp();
  await homework.submitted(classId, student);
  const client = createHttpClient({ baseUrl: homework.service.url, token: homework.admin });
  for (const host of ['one.example', 'two.example', 'one.example']) {
    const headers = { 'x-forwarded-host': host };
    const { body } = await client.get(`/api/v3/admin/homeworks?course_id=${courseId}`, headers);
    const [submission] = body.data[0].submissions;
    const urls = [submission.files[0].url, submission.download_url];
    expect(urls.map((url) => new URL(url).host)).toEqual([host, host]);
  }
});

test('the pages of all homework contain every class once, newest first, read from either end', async () => {
  await newCourse(5);
  const { total, last_page } = (await list('?per_page=2')) as List & { last_page: number };
  // Reading the pages in both orders reads each page from both ends: the total determines the end, and is known after
  // the first page.
  const pages = Array.from({ length: last_page }, (_, index) => index + 1);
  const idsOf = async (numbers: number[]) => {
    const ids = new Map<number, number[]>();
    for (const page of numbers)
      ids.set(
        page,
        (await list(`?per_page=2&page=${page}`)).data.map(({ id }) => id),
      );
    return pages.flatMap((page) => ids.get(page) ?? []);
  };
  const rows = await homework.rows<{ id: number }>(
    'SELECT class_id AS id FROM homework.classes WHERE is_listed ORDER BY created_at DESC, class_id DESC',
  );
  expect(rows).toHaveLength(total);
  expect(await idsOf(pages)).toEqual(rows.map(({ id }) => id));
  expect(await idsOf(pages.toReversed())).toEqual(rows.map(({ id }) => id));
  expect((await list(`?per_page=2&page=${'9'.repeat(15)}`)).data).toEqual([]);
});

test('the submissions of a class are listed oldest first', async () => {
  const { classId, courseId, student } = await homework.setUp();
  const students = [student, homework.enroll(courseId), homework.enroll(courseId)];
  const ids: number[] = [];
  for (const each of students) ids.push((await homework.submitted(classId, each)).id);
  const listed = (await homework.homework(classId)).submissions as SubmissionObject[];
  expect(listed.map(({ id }) => id)).toEqual(ids);
});

test('the number of statements for the list of homework does not depend on the number of submissions', async () => {
  const { classId, courseId, student } = await homework.setUp();
  await homework.submitted(classId, student);
  const queriesOf = async (path: string) => {
    watched.takeStatements();
    expect((await homework.get(path, homework.admin)).status).toBe(200);
    return watched.takeStatements();
  };
  const paths = [`/api/v3/admin/homeworks?course_id=${courseId}`, `/api/v3/admin/homeworks/${classId}`];
  const before = [await queriesOf(paths[0] as string), await queriesOf(paths[1] as string)];
  await homework.rows(
    `INSERT INTO homework.submissions (class_id, student_id, submitted_at)
     SELECT $1, 50000 + n, now() FROM generate_series(1, 300) AS n`,
    classId,
  );
  const after = [await queriesOf(paths[0] as string), await queriesOf(paths[1] as string)];
  expect((await homework.homework(classId)).submissions).toHaveLength(301);
  expect(after).toEqual(before);
  expect(before.map((queries) => queries.length)).toEqual([1, 3]);
});
