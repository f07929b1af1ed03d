import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService({ APP_TIMEZONE: 'Europe/Vienna' });
});
afterAll(() => courses.close());

const path = '/api/v3/admin/courses';
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const notFound = { status: 404, body: { message: 'Not Found', errors: null } };

interface Listed<Item = { id: number; title: string }> {
  data: Item[];
  links: Record<string, string | null>;
  meta: Record<string, unknown>;
}

describe('courses', () => {
  test('creating a course returns 201 and the course', async () => {
    const fields = { title: '  Algebra ', description: 'Groups\nand rings' };
    const made = await courses.request<{ data: { id: number } }>('POST', path, courses.admin, fields);
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      data: {
        id: expect.any(Number),
        title: 'Algebra',
        description: 'Groups\nand rings',
        created_at: timestamp,
      },
    });
    expect((await courses.get(`${path}/${made.body.data.id}`)).body).toEqual(made.body);
  });

  test('created_at of a course is in the time zone of the application (D1)', async () => {
    const id = await courses.createCourse();
    await courses.database.query(
      "UPDATE courses.courses SET created_at = '2026-07-01T22:30:00Z' WHERE id = $1",
      [id],
    );
    const { body } = await courses.get<{ data: { created_at: string } }>(`${path}/${id}`);
    expect(body.data.created_at).toBe('2026-07-02 00:30:00');
  });

  test('a course without a description has null', async () => {
    const { body } = await courses.request<{ data: object }>('POST', path, courses.admin, { title: 'Logic' });
    expect(body.data).toMatchObject({ description: null });
  });

  test.each([
    ['no title', {}, { title: ['The title field is required.'] }],
    ['a title of blanks', { title: '  ' }, { title: ['The title field is required.'] }],
    ['a title that is not text', { title: 7 }, { title: ['The title must be a string.'] }],
    ['a NUL', { title: 'a\0b' }, { title: ['The title contains invalid characters.'] }],
    [
      'a title that is too long',
      { title: '𝕏'.repeat(256) },
      { title: ['The title may not be greater than 255 characters.'] },
    ],
    [
      'everything wrong at once',
      { description: 1 },
      { title: ['The title field is required.'], description: ['The description must be a string.'] },
    ],
    ['a body that is not an object', ['title'], { title: ['The title field is required.'] }],
  ])('a course with %s is 422', async (_, body, errors) => {
    const answer = await courses.request('POST', path, courses.admin, body);
    expect(answer).toMatchObject({ status: 422, body: { message: 'Invalid Data', errors } });
  });

  test('the title of a course may have 255 characters, regardless of their size in bytes', async () => {
    const answer = await courses.request('POST', path, courses.admin, { title: '𝕏'.repeat(255) });
    expect(answer.status).toBe(201);
  });

  test('an update of a course changes only the given properties, and null clears the description', async () => {
    const made = await courses.request<{ data: { id: number } }>('POST', path, courses.admin, {
      title: 'Old',
      description: 'Text',
    });
    const one = `${path}/${made.body.data.id}`;
    const renamed = await courses.request<{ data: object }>('PATCH', one, courses.admin, { title: 'New' });
    expect(renamed.status).toBe(200);
    expect(renamed.body.data).toMatchObject({ title: 'New', description: 'Text' });
    const cleared = await courses.request<{ data: object }>('PATCH', one, courses.admin, {
      description: null,
    });
    expect(cleared.body.data).toMatchObject({ title: 'New', description: null });
    const refused = await courses.request('PATCH', one, courses.admin, { title: null });
    expect(refused.status).toBe(422);
  });

  test('deleting a course returns 204, and afterwards each of its paths is 404', async () => {
    const id = await courses.createCourse();
    expect(await courses.request('DELETE', `${path}/${id}`)).toMatchObject({ status: 204, body: null });
    const asked = [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/classes'],
      ['GET', '/students'],
      ['GET', '/gradebook'],
      ['GET', '/gradebook?format=csv'],
      ['DELETE', '/students/1'],
    ] as const;
    for (const [method, rest] of asked)
      expect(await courses.request(method, `${path}/${id}${rest}`)).toMatchObject(notFound);
    const body = { title: 'Class' };
    expect(await courses.request('POST', `${path}/${id}/classes`, courses.admin, body)).toMatchObject(
      notFound,
    );
    const enrollment = { paid: true };
    const { id: user } = courses.createAccount();
    expect(
      await courses.request('PUT', `${path}/${id}/students/${user}`, courses.admin, enrollment),
    ).toMatchObject(notFound);
  });
});

test.each(['0', '-1', '1.5', 'abc', '2147483648', '99999999999999999999', '1%00'])(
  'the invalid id %s is 404 (D4)',
  async (id) => {
    const asked = [
      ['GET', `${path}/${id}`],
      ['PATCH', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
      ['GET', `${path}/${id}/classes`],
      ['PATCH', `/api/v3/admin/classes/${id}`],
      ['DELETE', `/api/v3/admin/classes/${id}`],
      ['GET', `${path}/${id}/students`],
      ['DELETE', `${path}/1/students/${id}`],
      ['GET', `${path}/${id}/gradebook`],
    ] as const;
    for (const [method, url] of asked) expect(await courses.request(method, url)).toMatchObject(notFound);
  },
);

describe('the list of courses', () => {
  test('the list of courses is newest first, and its links keep other query parameters', async () => {
    const made: number[] = [];
    for (const title of ['One', 'Two', 'Three']) made.unshift(await courses.createCourse(title));
    const { status, body } = await courses.get<Listed>(`${path}?per_page=2&color=red%20blue`);
    expect(status).toBe(200);
    expect(body.data.map(({ id }) => id)).toEqual(made.slice(0, 2));
    const total = Number(body.meta.total);
    const last = Math.ceil(total / 2);
    const url = `${courses.service.url}${path}`;
    expect(body.links).toEqual({
      first: `${url}?per_page=2&color=red+blue&page=1`,
      last: `${url}?per_page=2&color=red+blue&page=${last}`,
      prev: null,
      next: `${url}?per_page=2&color=red+blue&page=2`,
    });
    expect(body.meta).toEqual({
      current_page: 1,
      from: 1,
      to: 2,
      per_page: 2,
      last_page: last,
      total,
    });
    const second = await courses.get<Listed>(`${path}?per_page=2&page=2`);
    expect(second.body.data[0]?.id).toBe(made[2]);
  });

  test('the total in the list of courses reflects creations and deletions', async () => {
    const before = await courses.get<Listed>(path);
    const id = await courses.createCourse();
    await courses.createCourse();
    await courses.request('DELETE', `${path}/${id}`);
    const after = await courses.get<Listed>(path);
    expect(after.body.meta.total).toBe(Number(before.body.meta.total) + 1);
    expect(after.body.data.map((course) => course.id)).not.toContain(id);
  });

  test('a page of courses past the end is empty (D5)', async () => {
    const { status, body } = await courses.get<Listed>(`${path}?page=999999999999999`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: [], links: { next: null }, meta: { from: null, to: null } });
  });

  test.each([
    ['page=0', 'page', 'The page must be at least 1.'],
    ['page=x', 'page', 'The page must be an integer.'],
    ['per_page=0', 'per_page', 'The per page must be at least 1.'],
    ['per_page=1.5', 'per_page', 'The per page must be an integer.'],
    ['per_page=-5', 'per_page', 'The per page must be an integer.'],
    ['per_page=5&per_page=6', 'per_page', 'The per page must be an integer.'],
  ])('the query ?%s is 422', async (query, field, sentence) => {
    const answer = await courses.get(`${path}?${query}`);
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'Invalid Data', errors: { [field]: [sentence] } },
    });
  });

  test('a page has 15 courses by default and at most 100', async () => {
    expect((await courses.get<Listed>(path)).body.meta.per_page).toBe(15);
    expect((await courses.get<Listed>(`${path}?per_page=5000`)).body.meta.per_page).toBe(100);
  });
});

describe('classes', () => {
  test('a class is created, listed newest first, renamed and deleted', async () => {
    const courseId = await courses.createCourse();
    const list = `${path}/${courseId}/classes`;
    const first = await courses.request<{ data: { id: number } }>('POST', list, courses.admin, {
      title: 'First',
    });
    expect(first.status).toBe(201);
    const classId = first.body.data.id;
    expect(first.body.data).toEqual({
      id: classId,
      course_id: courseId,
      title: 'First',
      created_at: timestamp,
    });
    const second = await courses.createClass(courseId, 'Second');
    const listed = await courses.get<Listed>(list);
    expect(listed.body.data.map(({ id }) => id)).toEqual([second, classId]);
    expect(listed.body.meta).toMatchObject({ total: 2, per_page: 15 });

    const one = `/api/v3/admin/classes/${classId}`;
    const renamed = await courses.request<{ data: object }>('PATCH', one, courses.admin, { title: 'Intro' });
    expect(renamed).toMatchObject({ status: 200, body: { data: { id: classId, title: 'Intro' } } });
    expect((await courses.request('PATCH', one, courses.admin, { title: '' })).status).toBe(422);
    expect((await courses.request('DELETE', one)).status).toBe(204);
    expect(await courses.request('DELETE', one)).toMatchObject(notFound);
    expect(await courses.request('PATCH', one, courses.admin, { title: 'x' })).toMatchObject(notFound);
    expect((await courses.get<Listed>(list)).body.data.map(({ id }) => id)).toEqual([second]);
  });

  test('a class outlives its course and can still be renamed', async () => {
    const courseId = await courses.createCourse();
    const classId = await courses.createClass(courseId);
    await courses.request('DELETE', `${path}/${courseId}`);
    const one = `/api/v3/admin/classes/${classId}`;
    expect((await courses.request('PATCH', one, courses.admin, { title: 'Still here' })).status).toBe(200);
  });
});

describe('access', () => {
  const administrators = [
    ['GET', path],
    ['POST', path],
    ['GET', `${path}/1`],
    ['PATCH', `${path}/1`],
    ['DELETE', `${path}/1`],
    ['GET', `${path}/1/classes`],
    ['POST', `${path}/1/classes`],
    ['PATCH', '/api/v3/admin/classes/1'],
    ['DELETE', '/api/v3/admin/classes/1'],
    ['PUT', `${path}/1/students/1`],
    ['DELETE', `${path}/1/students/1`],
    ['GET', `${path}/1/students`],
    ['GET', `${path}/1/gradebook`],
  ] as const;
  const students = [
    ['GET', '/api/v3/courses'],
    ['GET', '/api/v3/grades'],
  ] as const;

  test.each([...administrators, ...students])('%s %s without a token is 401', async (method, url) => {
    const answer = await courses.request(method, url, '');
    expect(answer).toMatchObject({ status: 401, body: { message: 'UnauthorizedRequest', errors: null } });
  });

  test.each(administrators)('%s %s is 403 for all roles but administrators', async (method, url) => {
    for (const role of ['user', 'instructor', 'parent'] as const) {
      const answer = await courses.request(method, url, courses.tokens.sign(5, role));
      expect(answer).toMatchObject({ status: 403, body: { message: 'Unauthorized Access', errors: null } });
    }
  });

  test.each(students)('%s %s is 403 for all roles but students', async (method, url) => {
    for (const role of ['admin', 'instructor', 'parent'] as const) {
      const answer = await courses.request(method, url, courses.tokens.sign(5, role));
      expect(answer).toMatchObject({ status: 403, body: { message: 'Unauthorized Access', errors: null } });
    }
  });
});

describe('request bodies', () => {
  const send = (body: string, type: string) =>
    createHttpClient({ baseUrl: courses.service.url, token: courses.admin }).post(path, body, {
      'content-type': type,
    });

  test.each([
    ['malformed JSON is 400', '{"title":', 'application/json', 400, 'Malformed JSON'],
    [
      'another content type is 415',
      'title=x',
      'application/x-www-form-urlencoded',
      415,
      'Unsupported Media Type',
    ],
    [
      'a body over the size limit is 413',
      `{"title":"${'x'.repeat(200_000)}"}`,
      'application/json',
      413,
      'Payload Too Large',
    ],
  ])('%s', async (_, body, type, status, message) => {
    expect(await send(body, type)).toMatchObject({ status, body: { message, errors: null } });
  });
});
