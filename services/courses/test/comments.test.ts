import { userState } from '@gradeway/test/userEvents';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CoursesService, type Student, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

interface Comment {
  id: number;
  text: string;
  course_id: number | null;
  uses: number;
  updated_at: string;
}
interface Listed {
  data: Comment[];
  meta: Record<string, unknown>;
}

const path = '/api/v3/grading/comments';
const create = (grader: Student, body: unknown) =>
  courses.request<{ data: Comment }>('POST', path, grader.token, body);
const created = async (grader: Student, text: string, course_id?: number) =>
  (await create(grader, { text, ...(course_id === undefined ? {} : { course_id }) })).body.data;
const change = (grader: Student, id: number | string, body: unknown) =>
  courses.request<{ data: Comment }>('PATCH', `${path}/${id}`, grader.token, body);
const remove = (grader: Student, id: number | string) =>
  courses.request('DELETE', `${path}/${id}`, grader.token);
const use = (grader: Student, id: number | string) =>
  courses.request('POST', `${path}/${id}/use`, grader.token);
const list = (grader: Student, query = '') => courses.get<Listed>(path + query, grader.token);
const texts = async (grader: Student, query = '') =>
  (await list(grader, query)).body.data.map(({ text }) => text);
const notFound = { status: 404, body: { message: 'Not Found', errors: null } };
const invalid = (errors: object) => ({ status: 422, body: { message: 'Invalid Data', errors } });

describe('the comment bank', () => {
  test('a comment is created, changed, used and deleted', async () => {
    const courseId = await courses.createCourse();
    const grader = await courses.createInstructor([courseId]);
    const made = await create(grader, { text: 'Show the steps.', course_id: courseId });
    const { id } = made.body.data;
    expect([made.status, made.body.data]).toEqual([
      201,
      {
        id,
        text: 'Show the steps.',
        course_id: courseId,
        uses: 0,
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    ]);
    expect(await change(grader, id, { text: 'Show all steps.' })).toMatchObject({
      status: 200,
      body: { data: { id, text: 'Show all steps.', course_id: courseId } },
    });
    expect((await change(grader, id, { course_id: null })).body.data).toMatchObject({
      text: 'Show all steps.',
      course_id: null,
    });
    const used = await use(grader, id);
    expect([used.status, used.body]).toEqual([204, null]);
    expect((await list(grader)).body.data).toMatchObject([{ id, uses: 1 }]);
    expect((await remove(grader, id)).status).toBe(204);
    expect((await list(grader)).body.data).toEqual([]);
    expect(await remove(grader, id)).toMatchObject(notFound);
  });

  test('every grader has a separate bank, even without courses, and administrators have one', async () => {
    const [one, two] = [await courses.createInstructor([]), await courses.createInstructor([])];
    const admin = { id: 1, token: courses.admin };
    const [first, second] = [await created(one, 'of one'), await created(admin, 'of the administrator')];
    expect(await texts(one)).toEqual(['of one']);
    expect(await texts(two)).toEqual([]);
    expect(await texts(admin)).toContain('of the administrator');
    for (const [grader, id] of [
      [two, first.id],
      [admin, first.id],
      [one, second.id],
      [one, 2_000_000_000],
      [one, 'x'],
    ] as const) {
      expect(await change(grader, id, { text: 'taken' })).toMatchObject(notFound);
      expect(await use(grader, id)).toMatchObject(notFound);
      expect(await remove(grader, id)).toMatchObject(notFound);
    }
    expect((await list(one)).body.data).toMatchObject([{ text: 'of one', uses: 0 }]);
  });

  test('the most used comments come first, and equally used comments are sorted newest first', async () => {
    const grader = await courses.createInstructor([]);
    const [first, second, third] = [
      await created(grader, 'first'),
      await created(grader, 'second'),
      await created(grader, 'third'),
    ];
    expect(await texts(grader)).toEqual(['third', 'second', 'first']);
    for (const { id } of [first, second, first]) expect((await use(grader, id)).status).toBe(204);
    expect(await texts(grader)).toEqual(['first', 'second', 'third']);
    await use(grader, third.id);
    expect(await texts(grader, '?per_page=2')).toEqual(['first', 'third']);
    expect(await texts(grader, '?per_page=2&page=2')).toEqual(['second']);
    expect((await list(grader)).body.meta).toMatchObject({ total: 3, per_page: 50 });
    expect((await list(grader, '?per_page=500')).body.meta.per_page).toBe(200);
  });

  test('simultaneous uses are all counted', async () => {
    const grader = await courses.createInstructor([]);
    const { id } = await created(grader, 'often');
    await Promise.all(Array.from({ length: 10 }, () => use(grader, id)));
    expect((await list(grader)).body.data).toMatchObject([{ uses: 10 }]);
  });

  test('a change sets updated_at, but a use or a change without effect does not', async () => {
    const grader = await courses.createInstructor([]);
    const { id } = await created(grader, 'old');
    const longAgo = '2020-02-03T04:05:06Z';
    const sql = 'UPDATE courses.grading_comments SET updated_at = $2 WHERE id = $1';
    await courses.database.query(sql, [id, longAgo]);
    const updatedAt = async () => (await list(grader)).body.data[0]?.updated_at;
    await use(grader, id);
    for (const body of [{}, { text: 'old' }, { course_id: null }]) await change(grader, id, body);
    expect(await updatedAt()).toBe(longAgo);
    await change(grader, id, { text: 'new' });
    expect(Date.parse((await updatedAt()) ?? '')).toBeGreaterThan(Date.parse(longAgo));
  });

  test('the search in the comment bank finds part of a text in any case', async () => {
    const grader = await courses.createInstructor([]);
    for (const text of ['Zeige den ÄUSSEREN Schritt', '100 % right', 'under_score', 'ΣΟΦΟΣ'])
      await created(grader, text);
    const search = (term: string) => texts(grader, `?search=${encodeURIComponent(term)}`);
    expect(await search('äusseren')).toEqual(['Zeige den ÄUSSEREN Schritt']);
    expect(await search('σοφος')).toEqual(['ΣΟΦΟΣ']);
    expect(await search('%')).toEqual(['100 % right']);
    expect(await search('_')).toEqual(['under_score']);
    expect(await search('nowhere')).toEqual([]);
    expect(await search('')).toHaveLength(4);
    const long = 'Zeige '.repeat(160);
    await created(grader, long);
    expect(await search(long)).toEqual([long]);
    expect(await list(grader, `?search=${'x'.repeat(1_001)}`)).toMatchObject(
      invalid({ search: ['The search may not be greater than 1000 characters.'] }),
    );
  });

  test("a filter by course finds its comments and those without a course, and nothing for another grader's or an unknown course", async () => {
    const [courseId, other, foreign] = [
      await courses.createCourse(),
      await courses.createCourse(),
      await courses.createCourse(),
    ];
    const grader = await courses.createInstructor([courseId, other]);
    await created(grader, 'general');
    await created(grader, 'of the course', courseId);
    await created(grader, 'of another', other);
    expect(await texts(grader)).toEqual(['of another', 'of the course', 'general']);
    expect(await texts(grader, `?course_id=${courseId}`)).toEqual(['of the course', 'general']);
    expect(await texts(grader, `?course_id=${courseId}&search=OF`)).toEqual(['of the course']);
    for (const unknown of [foreign, 2_000_000_000, 99_999_999_999])
      expect(await list(grader, `?course_id=${unknown}`)).toMatchObject({
        status: 200,
        body: { data: [], meta: { total: 0 } },
      });
    for (const wrong of ['x', '0', ''])
      expect(await list(grader, `?course_id=${wrong}`)).toMatchObject(
        invalid({ course_id: [expect.any(String)] }),
      );
  });

  test('comments on a course that the grader no longer teaches stay in the bank', async () => {
    const courseId = await courses.createCourse();
    const grader = await courses.createInstructor([courseId]);
    const { id } = await created(grader, 'of the course', courseId);
    await courses.request('DELETE', `/api/v3/admin/courses/${courseId}/instructors/${grader.id}`);
    expect((await list(grader)).body.data).toMatchObject([{ id, course_id: courseId }]);
    expect((await change(grader, id, { text: 'still mine' })).status).toBe(200);
    expect(await change(grader, id, { course_id: courseId })).toMatchObject(
      invalid({ course_id: ['The selected course id is invalid.'] }),
    );
  });
});

describe('invalid requests', () => {
  test.each([
    ['no text', {}, { text: ['The text field is required.'] }],
    ['an empty text', { text: '' }, { text: ['The text field is required.'] }],
    ['another type', { text: 7 }, { text: ['The text must be a string.'] }],
    ['a NUL', { text: 'a\0' }, { text: ['The text contains invalid characters.'] }],
    [
      '1,001 characters',
      { text: '💚'.repeat(1_001) },
      { text: ['The text may not be greater than 1000 characters.'] },
    ],
    [
      'a course that is text',
      { text: 'x', course_id: '7' },
      { course_id: ['The course id must be an integer.'] },
    ],
    [
      'an unknown course',
      { text: 'x', course_id: 2_000_000_000 },
      { course_id: ['The selected course id is invalid.'] },
    ],
    [
      'a course beyond the range',
      { text: 'x', course_id: 99_999_999_999 },
      { course_id: ['The selected course id is invalid.'] },
    ],
  ])('%s is 422 for a new comment and for a change', async (what, body, errors) => {
    const grader = await courses.createInstructor([]);
    expect(await create(grader, body)).toMatchObject(invalid(errors));
    const { id } = await created(grader, 'good');
    if (what !== 'no text') expect(await change(grader, id, body)).toMatchObject(invalid(errors));
    expect(await texts(grader)).toEqual(['good']);
  });

  test('a comment has 1 to 1,000 code points', async () => {
    const grader = await courses.createInstructor([]);
    for (const text of ['x', '💚'.repeat(1_000)])
      expect(await create(grader, { text })).toMatchObject({ status: 201, body: { data: { text } } });
  });

  test('a comment for a course that the grader does not teach is 422', async () => {
    const courseId = await courses.createCourse();
    const grader = await courses.createInstructor([]);
    expect(await create(grader, { text: 'x', course_id: courseId })).toMatchObject(
      invalid({ course_id: ['The selected course id is invalid.'] }),
    );
    expect((await create({ id: 1, token: courses.admin }, { text: 'x', course_id: courseId })).status).toBe(
      201,
    );
  });

  test('requests for comments are checked in the order 401, 403, 404, 422', async () => {
    const [grader, student] = [await courses.createInstructor([]), courses.createAccount()];
    const nobody = { id: 0, token: '' };
    const forbidden = { status: 403, body: { message: 'Unauthorized Access', errors: null } };
    for (const send of [
      (by: Student) => list(by, '?page=0'),
      (by: Student) => create(by, {}),
      (by: Student) => change(by, 2_000_000_000, { text: '' }),
      (by: Student) => remove(by, 2_000_000_000),
      (by: Student) => use(by, 2_000_000_000),
    ]) {
      expect((await send(nobody)).status).toBe(401);
      expect(await send(student)).toMatchObject(forbidden);
    }
    expect(await change(grader, 2_000_000_000, { text: '' })).toMatchObject(notFound);
    expect((await create(grader, 'not JSON')).status).toBe(400);
  });
});

test('the comments of a deleted account are deleted', async () => {
  const grader = await courses.createInstructor([]);
  await created(grader, 'private');
  await courses.sendEvent('user.deleted.v1', userState({ user_id: grader.id, revision: 2 }));
  const rows = () =>
    courses.database.query('SELECT id FROM courses.grading_comments WHERE owner_id = $1', [grader.id]);
  await waitFor(async () => (await rows()).length === 0);
});
