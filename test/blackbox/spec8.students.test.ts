import { unique } from '@gradeway/test/fixtures';
import { waitFor } from '@gradeway/test/waitFor';
import { describe, expect, test } from 'vitest';
import { asAdmin, enroll, newAccount, newCourse, newStudent } from './fixtures.ts';

const list = async (courseId: number | string, query = '') =>
  (await asAdmin()).get(`/api/v3/admin/courses/${courseId}/students${query}`);

async function courseWith(...people: Record<string, unknown>[]) {
  const courseId = await newCourse();
  const accounts = [];
  for (const person of people) {
    const account = await newAccount(person);
    await enroll(courseId, account);
    accounts.push({ ...account, ...person });
  }
  return { courseId, accounts };
}

describe('GET /admin/courses/{course_id}/students', () => {
  test('students have id, name and email, ordered by last name, first name and id', async () => {
    const { courseId, accounts } = await courseWith(
      { first_name: 'Grace', last_name: 'Hopper' },
      { first_name: 'Évariste', last_name: 'galois' },
      { first_name: 'Ada', last_name: 'Hopper' },
    );
    const [grace, evariste, ada] = accounts;
    const { status, body } = await list(courseId);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { id: evariste?.id, name: 'Évariste galois', email: evariste?.email },
      { id: ada?.id, name: 'Ada Hopper', email: ada?.email },
      { id: grace?.id, name: 'Grace Hopper', email: grace?.email },
    ]);
    expect(body.meta).toMatchObject({
      current_page: 1,
      from: 1,
      to: 3,
      last_page: 1,
      per_page: 50,
      total: 3,
    });
    expect(body.links).toMatchObject({ prev: null, next: null });
  });

  test('a student without an address has an empty one (D33)', async () => {
    const { courseId } = await courseWith({
      email: undefined,
      mobile: `+4366${Math.floor(Math.random() * 1e10)}`,
    });
    expect((await list(courseId)).body.data).toEqual([expect.objectContaining({ email: '' })]);
  });

  test('students are found by part of a first name, last name or address, in any case', async () => {
    const mark = unique();
    const { courseId } = await courseWith(
      { first_name: `Ann${mark}`, last_name: 'Berg' },
      { first_name: 'Carl', last_name: `Ann${mark}` },
      { first_name: 'Dora', last_name: 'Ekman', email: `x.ann${mark}@test.example` },
      { first_name: 'Emil', last_name: 'Falk' },
    );
    const { body } = await list(courseId, `?search=aNN${mark}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([
      `Carl Ann${mark}`,
      `Ann${mark} Berg`,
      'Dora Ekman',
    ]);
    expect(body.meta.total).toBe(3);
    expect((await list(courseId, `?search=${encodeURIComponent(`Ann${mark} Berg`)}`)).body.meta.total).toBe(
      1,
    );
  });

  test('the search for students treats % and _ literally', async () => {
    const { courseId } = await courseWith(
      { first_name: '100%', last_name: 'Sure' },
      { first_name: 'Under_score', last_name: 'Plain' },
    );
    const names = async (term: string) =>
      (await list(courseId, `?search=${encodeURIComponent(term)}`)).body.data.map(
        ({ name }: { name: string }) => name,
      );
    expect(await names('%')).toEqual(['100% Sure']);
    expect(await names('_')).toEqual(['Under_score Plain']);
    expect(await names('\\')).toEqual([]);
    expect(await names("'; DROP TABLE people; --")).toEqual([]);
  });

  test('the links of a page of students keep the search', async () => {
    const mark = unique();
    const { courseId } = await courseWith(
      ...[1, 2, 3].map((number) => ({ first_name: `P${number}`, last_name: mark })),
    );
    const { body } = await list(courseId, `?search=${mark}&per_page=2&page=2`);
    expect(body.data).toHaveLength(1);
    expect(body.links.prev).toMatch(new RegExp(`\\?search=${mark}&per_page=2&page=1$`));
    expect((await list(courseId, '?per_page=500')).body.meta.per_page).toBe(200);
    expect((await list(courseId, '?page=9')).body).toMatchObject({
      data: [],
      meta: { from: null, to: null, total: 3 },
    });
  });

  test('students leave the list when their enrollment or their account is deleted', async () => {
    const { courseId, accounts } = await courseWith({}, {});
    const [first, second] = accounts;
    const admin = await asAdmin();
    expect((await admin.delete(`/api/v3/admin/courses/${courseId}/students/${first?.id}`)).status).toBe(204);
    await admin.delete(`/api/v3/admin/users/${second?.id}`);
    await waitFor(async () => (await list(courseId)).body.data.length === 0);
  });

  test.each(['2147483647', 'abc', '99999999999'])('the course %s is 404', async (id) => {
    const { status, body } = await list(id);
    expect([status, body]).toEqual([404, { message: 'Not Found', errors: null }]);
  });

  test.each(['page=0', 'per_page=abc', 'search=%00', 'search=a&search=b'])(
    'the query %s is 422 Invalid Data',
    async (query) => {
      const { status, body } = await list(await newCourse(), `?${query}`);
      expect([status, body.message]).toEqual([422, 'Invalid Data']);
    },
  );

  test('only administrators read the list of students', async () => {
    const { status, body } = await (await newStudent({ role: 'instructor' })).get(
      `/api/v3/admin/courses/${await newCourse()}/students`,
    );
    expect([status, body]).toEqual([403, { message: 'Unauthorized Access', errors: null }]);
  });
});
