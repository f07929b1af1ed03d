import { userState } from '@gradeway/test/userEvents';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, type CoursesService, startCoursesService } from './coursesService.ts';

let courses: CoursesService;
beforeAll(async () => {
  courses = await startCoursesService();
});
afterAll(() => courses.close());

interface Listed {
  data: { id: number; name: string; email: string }[];
  links: Record<string, string | null>;
  meta: Record<string, unknown>;
}

const list = (courseId: number, query = '') =>
  courses.get<Listed>(`/api/v3/admin/courses/${courseId}/students${query}`);

async function courseOf(...accounts: Account[]): Promise<{ courseId: number; ids: number[] }> {
  const courseId = await courses.createCourse();
  const ids: number[] = [];
  for (const account of accounts) ids.push((await courses.createStudent(courseId, account)).id);
  return { courseId, ids };
}

const names = ({ body }: { body: Listed }) => body.data.map(({ name }) => name);

/** The names of the course's students that a search finds. */
async function found(courseId: number, search: string): Promise<string[]> {
  const answer = await list(courseId, `?search=${encodeURIComponent(search)}`);
  expect(answer.status).toBe(200);
  expect(answer.body.meta.total).toBe(answer.body.data.length);
  return names(answer);
}

describe('the students of a course', () => {
  test('students have id, name and email, which is "" without an address (D33)', async () => {
    const { courseId, ids } = await courseOf(
      { firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.org' },
      { firstName: 'Alan', lastName: 'Turing' },
    );
    const { status, body } = await list(courseId);
    expect(status).toBe(200);
    expect(body.data).toEqual([
      { id: ids[0], name: 'Ada Lovelace', email: 'ada@example.org' },
      { id: ids[1], name: 'Alan Turing', email: '' },
    ]);
    expect(body.meta).toMatchObject({
      current_page: 1,
      from: 1,
      to: 2,
      last_page: 1,
      per_page: 50,
      total: 2,
    });
  });

  test('a new course has no students', async () => {
    const { body } = await list(await courses.createCourse());
    expect(body.data).toEqual([]);
    expect(body.meta).toMatchObject({ from: null, to: null, last_page: 1, total: 0 });
  });

  test('the students of a course that does not exist are 404', async () => {
    const answer = await list(2_000_000_000);
    expect(answer).toMatchObject({ status: 404, body: { message: 'Not Found', errors: null } });
  });

  test('students are sorted by last name, first name and id in natural order', async () => {
    const { courseId, ids } = await courseOf(
      { firstName: 'Zoe', lastName: 'adams' },
      { firstName: 'Bea', lastName: 'Zimmer' },
      { firstName: 'Amy', lastName: 'Adams' },
      { firstName: 'Émile', lastName: 'Östlund' },
      { firstName: 'Carl', lastName: 'Ostrander' },
      { firstName: 'amy', lastName: 'ADAMS' },
      { firstName: 'Юрий', lastName: 'Гагарин' },
      { firstName: 'Ben', lastName: "O'Hara" },
    );
    const answer = await list(courseId);
    expect(names(answer)).toEqual([
      'Amy Adams',
      'amy ADAMS',
      'Zoe adams',
      "Ben O'Hara",
      'Émile Östlund',
      'Carl Ostrander',
      'Bea Zimmer',
      'Юрий Гагарин',
    ]);
    expect(answer.body.data[0]?.id).toBe(ids[2]);
  });

  test('students with the same name are sorted by id', async () => {
    const same = { firstName: 'Kim', lastName: 'Lee' };
    const { courseId, ids } = await courseOf(same, same, same);
    expect((await list(courseId)).body.data.map(({ id }) => id)).toEqual(ids);
  });
});

describe('pages of students', () => {
  test('pages of students are contiguous, and their links keep the search and the page size', async () => {
    const accounts = ['A', 'B', 'C', 'D', 'E'].map((lastName) => ({ firstName: 'Page', lastName }));
    const { courseId } = await courseOf(...accounts);
    const second = await list(courseId, '?search=page&per_page=2&page=2');
    expect(names(second)).toEqual(['Page C', 'Page D']);
    const url = `${courses.service.url}/api/v3/admin/courses/${courseId}/students`;
    const at = (page: number) => `${url}?search=page&per_page=2&page=${page}`;
    expect(second.body.links).toEqual({ first: at(1), last: at(3), prev: at(1), next: at(3) });
    expect(second.body.meta).toMatchObject({ current_page: 2, from: 3, to: 4, last_page: 3, total: 5 });
    const third = await list(courseId, '?per_page=2&page=3');
    expect(names(third)).toEqual(['Page E']);
    expect(third.body.links.next).toBeNull();
  });

  test('a page of students past the end is empty with and without a search', async () => {
    const { courseId } = await courseOf({});
    for (const query of ['?page=2', '?page=2&search=ada', '?page=999999999999999'])
      expect((await list(courseId, query)).body).toMatchObject({ data: [], meta: { from: null, total: 1 } });
  });

  test('a page of students has at most 200', async () => {
    const { courseId } = await courseOf();
    expect((await list(courseId, '?per_page=201')).body.meta.per_page).toBe(200);
    expect((await list(courseId, '?per_page=200')).body.meta.per_page).toBe(200);
  });

  test.each(['?page=0', '?per_page=abc', '?search=a&search=b', '?search=%00'])(
    'the query %s for students is 422',
    async (query) => {
      const { courseId } = await courseOf();
      expect(await list(courseId, query)).toMatchObject({ status: 422, body: { message: 'Invalid Data' } });
    },
  );

  test('a search for students that is too long is 422', async () => {
    const { courseId } = await courseOf();
    expect((await list(courseId, `?search=${'a'.repeat(256)}`)).status).toBe(422);
  });
});

describe('a search', () => {
  test('a search matches part of the first name, last name or address in any case', async () => {
    const { courseId } = await courseOf(
      { firstName: 'Ada', lastName: 'Lovelace', email: 'countess@example.org' },
      { firstName: 'Grace', lastName: 'Hopper', email: 'Amazing@Navy.example' },
    );
    expect(await found(courseId, 'DA')).toEqual(['Ada Lovelace']);
    expect(await found(courseId, 'oVEl')).toEqual(['Ada Lovelace']);
    expect(await found(courseId, 'amazing@NAVY')).toEqual(['Grace Hopper']);
    expect(await found(courseId, 'ace')).toEqual(['Grace Hopper', 'Ada Lovelace']);
    expect(await found(courseId, 'nobody')).toEqual([]);
  });

  test('a search matches full names, but not across name and address', async () => {
    const { courseId } = await courseOf({ firstName: 'Ada', lastName: 'Lovelace', email: 'x@example.org' });
    for (const search of ['Ada Lovelace', 'lovelace ada', 'a lo', 'Ada\n Love', 'e A'])
      expect(await found(courseId, search)).toEqual(['Ada Lovelace']);
    for (const search of ['aLove', 'a\x1fl\x1fe', 'lacex@', 'lace x@', 'ada x@'])
      expect(await found(courseId, search)).toEqual([]);
  });

  test('a search treats % and _ and all other characters literally', async () => {
    const { courseId } = await courseOf(
      { firstName: '100%', lastName: 'Sure' },
      { firstName: 'Snake_Case', lastName: 'One' },
      { firstName: 'Back\\slash', lastName: 'Two' },
      { firstName: "O'Neil", lastName: 'Three $1' },
    );
    expect(await found(courseId, '%')).toEqual(['100% Sure']);
    expect(await found(courseId, '_')).toEqual(['Snake_Case One']);
    expect(await found(courseId, '\\')).toEqual(['Back\\slash Two']);
    expect(await found(courseId, "'")).toEqual(["O'Neil Three $1"]);
    expect(await found(courseId, '$1')).toEqual(["O'Neil Three $1"]);
    expect(await found(courseId, '.*')).toEqual([]);
    for (const search of ['%', '_', '\\', 'k\\s', '0%', 'e_c'])
      expect(await found(courseId, search)).toHaveLength(1);
    for (const search of ['1%0', 'S_ake', '\\\\', 'a%', '%%'])
      expect(await found(courseId, search)).toEqual([]);
  });

  test.each([
    ['Ærøskøbing', 'ÆRØSK'],
    ['ΑΛΈΞΑΝΔΡΟΣ', 'ανδρος'],
    ['Σοφός', 'ΣΟΦΌΣ'],
    ['Юлия', 'юЛИ'],
    ['İbrahim', 'ibra'],
    ['Jose\u0301', 'JOSÉ'],
    ['山田', '山'],
    ['ነገሰ', 'ገሰ'],
    ['🦊Fox', '🦊f'],
  ])('%s is found by %s', async (firstName, search) => {
    const { courseId } = await courseOf({ firstName, lastName: 'X' }, { firstName: 'Other', lastName: 'Y' });
    expect(await found(courseId, search)).toEqual([`${firstName} X`]);
  });

  test('a search finds the longest names by their last characters', async () => {
    const [firstName, lastName] = [`${'名'.repeat(254)}前`, `${'漢'.repeat(254)}字`];
    const { courseId } = await courseOf({ firstName, lastName, email: `${'a'.repeat(240)}@end.example` });
    for (const search of ['前', '漢字', '@end.example'])
      expect(await found(courseId, search)).toHaveLength(1);
  });

  test('a search works with names of the maximum length in bytes', async () => {
    const monstrous = { firstName: '🦊'.repeat(255), lastName: '🐻'.repeat(255), email: '🐍'.repeat(255) };
    const { courseId } = await courseOf(monstrous);
    for (const search of ['🦊', '🐻🐻', '🐍']) expect(await found(courseId, search)).toHaveLength(1);
  });

  test('an empty search finds all students', async () => {
    const { courseId } = await courseOf({}, {});
    expect(await found(courseId, '')).toHaveLength(2);
  });

  // Up to 500 matches are sorted, and more are read in the order of the list.
  test.each([500, 501])(
    'pages of a search with %i matches are contiguous, in order and without other students',
    async (matches) => {
      const courseId = await courses.createCourse();
      const firstId = 1_000_000_000 + courseId * 1_000;
      const numbers = Array.from({ length: matches }, (_, index) => index).toSorted(
        (a, b) => (a % 7) - (b % 7),
      );
      await courses.database.query(
        `INSERT INTO courses.people (user_id, first_name, last_name, email, is_deleted, revision)
       SELECT $1::int + n, CASE WHEN n < $2::int THEN 'Match' ELSE 'Other' END, 'L' || n % 7, NULL, false, 1
       FROM generate_series(0, $2::int + 20) n`,
        [firstId, matches],
      );
      await courses.database.query(
        `INSERT INTO courses.roster (course_id, user_id, is_enrolled, revision)
       SELECT $1, user_id, true, 1 FROM courses.people WHERE user_id BETWEEN $2::int AND $2::int + 999`,
        [courseId, firstId],
      );
      const ids: number[] = [];
      for (const page of [1, 2, 3, 4]) {
        const { body } = await list(courseId, `?search=atch&per_page=200&page=${page}`);
        expect(body.meta.total).toBe(matches);
        ids.push(...body.data.map(({ id }) => id));
      }
      expect(ids).toEqual(numbers.map((number) => firstId + number));
    },
  );

  test('a search finds only currently enrolled students of the course', async () => {
    const { courseId, ids } = await courseOf({ firstName: 'Gone' }, { firstName: 'Still' });
    await courseOf({ firstName: 'Elsewhere' });
    await courses.request('DELETE', `/api/v3/admin/courses/${courseId}/students/${ids[0]}`);
    expect(await found(courseId, 'e')).toEqual(['Still Lovelace']);
    expect((await list(courseId)).body.meta.total).toBe(1);
  });
});

describe('user events', () => {
  test('a changed name updates the list of students, its order and its search', async () => {
    const { courseId, ids } = await courseOf(
      { firstName: 'Ada', lastName: 'Byron' },
      { firstName: 'Alan', lastName: 'Middle' },
    );
    const changed = { user_id: ids[0] ?? 0, last_name: 'Zuse', email: 'new@example.org', revision: 3 };
    await courses.sendEvent('user.changed.v1', userState(changed));
    expect(names(await list(courseId))).toEqual(['Alan Middle', 'Ada Zuse']);
    expect(await found(courseId, 'new@')).toEqual(['Ada Zuse']);
    expect(await found(courseId, 'byron')).toEqual([]);
  });

  test('an older revision of a user does not overwrite a newer one', async () => {
    const { courseId, ids } = await courseOf({ firstName: 'Ada', lastName: 'First' });
    const user_id = ids[0] ?? 0;
    await courses.sendEvent('user.changed.v1', userState({ user_id, last_name: 'Third', revision: 3 }));
    await courses.sendEvent('user.changed.v1', userState({ user_id, last_name: 'Second', revision: 2 }));
    expect(names(await list(courseId))).toEqual(['Ada Third']);
  });
});
