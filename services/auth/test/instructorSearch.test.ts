import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

const unique = () => crypto.randomUUID().slice(0, 8);
const newInstructor = (properties: object = {}) => auth.newUser({ role: 'instructor', ...properties });
const search = (query: string, token: string | undefined) =>
  auth.call('GET', `/api/v3/grading/instructors${query}`, { token });

/** The token of an instructor who is the teacher of a course. */
async function newTeacher(): Promise<string> {
  const teacher = await newInstructor();
  auth.courses.teachers.add(teacher.id);
  return auth.tokenOf(teacher);
}

const namesIn = async (query: string, token: string): Promise<string[]> => {
  const { status, body } = await search(query, token);
  expect(status).toBe(200);
  return body.data.map(({ name }: { name: string }) => name);
};

describe('the search for instructors', () => {
  test('a teacher finds an instructor by part of a name, the address or the number, like administrators', async () => {
    const mark = unique();
    const email = `${mark}@school.example`;
    const mobile = `+4366477${String(Math.random()).slice(2, 9)}`;
    const found = await newInstructor({ first_name: 'Émmy', last_name: `Nöther ${mark}`, email, mobile });
    const row = { id: found.id, name: `Émmy Nöther ${mark}`, email };
    for (const token of [await newTeacher(), auth.admin])
      for (const term of [`nother ${mark}`, `NOTHER ${mark} emmy`, mark, email, mobile]) {
        const { body } = await search(`?search=${encodeURIComponent(term)}`, token);
        expect([term, body.data]).toEqual([term, [row]]);
      }
  });

  test('accounts that have another role, are blocked or are deleted are not found', async () => {
    const mark = unique();
    const named = (properties: object) => auth.newUser({ last_name: mark, ...properties });
    await Promise.all(['user', 'admin', 'parent'].map((role) => named({ role })));
    const [active, blocked, deleted] = await Promise.all([1, 2, 3].map(() => named({ role: 'instructor' })));
    const path = (id = 0) => `/api/v3/admin/users/${id}`;
    await auth.call('PATCH', path(blocked?.id), { token: auth.admin, body: { is_blocked: true } });
    await auth.call('DELETE', path(deleted?.id), { token: auth.admin });
    const { body } = await search(`?search=${mark}`, auth.admin);
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual([active?.id]);
    expect(body.meta.total).toBe(1);
  });

  test('instructors are sorted by last name, first name and id, with 50 per page by default and at most 200', async () => {
    const mark = unique();
    for (const [first_name, last_name] of [
      ['Zoë', `Émile ${mark}`],
      ['Ada', `emile ${mark}`],
      ['Bob', `Artin ${mark}`],
    ])
      await newInstructor({ first_name, last_name });
    const token = await newTeacher();
    const names = [`Bob Artin ${mark}`, `Ada emile ${mark}`, `Zoë Émile ${mark}`];
    expect(await namesIn(`?search=${mark}`, token)).toEqual(names);
    expect(await namesIn(`?search=${mark}&per_page=2&page=2`, token)).toEqual(names.slice(2));
    expect((await search(`?search=${mark}`, token)).body).toMatchObject({
      links: { prev: null, next: null },
      meta: { current_page: 1, from: 1, to: 3, last_page: 1, per_page: 50, total: 3 },
    });
    expect((await search(`?search=${mark}&per_page=999`, token)).body.meta.per_page).toBe(200);
  });

  test('an instructor without an email address has an empty string', async () => {
    const mark = unique();
    await newInstructor({ last_name: mark, email: null });
    expect((await search(`?search=${mark}`, await newTeacher())).body.data).toMatchObject([{ email: '' }]);
  });

  test('a search of fewer than two characters is 422', async () => {
    const token = await newTeacher();
    const required = 'The search field is required.';
    const short = 'The search must be at least 2 characters.';
    for (const [query, message] of [
      ['', required],
      ['?search=', required],
      ['?search=%20%20', required],
      ['?search=a', short],
      ['?search=%20a%20', short],
      ['?search=%F0%9F%8E%93', short],
    ])
      expect(await search(query ?? '', token)).toMatchObject({
        status: 422,
        body: { message: 'Invalid Data', errors: { search: [message] } },
      });
    expect((await search('?search=ab&page=0', token)).body.errors).toEqual({ page: [expect.any(String)] });
  });

  test('only administrators and teachers may search, and the role is checked before the query', async () => {
    const forbidden = { status: 403, body: { message: 'Unauthorized Access', errors: null } };
    for (const role of ['instructor', 'user']) {
      const token = await auth.tokenOf(await auth.newUser({ role }));
      expect(await search('?search=ada', token)).toMatchObject(forbidden);
      expect(await search('', token)).toMatchObject(forbidden);
    }
    expect((await search('?search=ada', undefined)).status).toBe(401);
    expect((await search('?search=ada', auth.admin)).status).toBe(200);
  });
});

test('while courses is unreachable, teachers receive 503 and administrators receive the list', async () => {
  const own = await startAuthService();
  try {
    const token = await own.tokenOf(await own.newUser({ role: 'instructor' }));
    await own.courses.close();
    const path = '/api/v3/grading/instructors?search=ada';
    expect((await own.call('GET', path, { token })).status).toBe(503);
    expect((await own.call('GET', path, { token: own.admin })).status).toBe(200);
  } finally {
    await own.close();
  }
});
