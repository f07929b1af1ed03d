import { form } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ImportSystem, startImportSystem } from './importSystem.ts';

let system: ImportSystem;
beforeAll(async () => {
  system = await startImportSystem();
});
afterAll(() => system.close());

let lastId = 0;
const unique = () => {
  lastId += 1;
  return `person${lastId}`;
};

interface Person {
  id: number;
  email: string;
  token: string;
}

const password = 'a password of the tests';

async function newPerson(role = 'user', name = 'Ada'): Promise<Person> {
  const email = `${unique()}@school.example`;
  const fields = { first_name: name, last_name: 'Lovelace', email, password, role };
  const created = await system.call('POST', `${system.auth.url}/api/v3/admin/users`, { body: fields });
  const body = { email, password };
  const login = await system.call('POST', `${system.auth.url}/api/v3/login`, { token: null, body });
  return { id: created.body.data.id, email, token: login.body.access_token };
}

const atCourses = (method: string, path: string, body?: unknown, token = system.admin) =>
  system.call(method, `${system.courses.url}/api/v3${path}`, { body, token });

async function newCourse(): Promise<{ id: number; teacher: Person }> {
  const { body } = await atCourses('POST', '/admin/courses', { title: 'Algebra' });
  const { id } = body.data;
  const teacher = await newPerson('instructor');
  await atCourses('PUT', `/admin/courses/${id}/instructors/${teacher.id}`);
  return { id, teacher };
}

const rosterPath = (courseId: number) => `/grading/courses/${courseId}/roster`;

const dryRun = (courseId: number, text: string | Uint8Array<ArrayBuffer>, token = system.admin) =>
  atCourses(
    'POST',
    `${rosterPath(courseId)}?dry_run=1`,
    form({ file: new Blob([text]) }, 'roster.csv'),
    token,
  );

const apply = (courseId: number, token: string, caller = system.admin) =>
  atCourses('POST', rosterPath(courseId), { token }, caller);

async function students(courseId: number): Promise<{ name: string; email: string }[]> {
  const { body } = await atCourses('GET', `/admin/courses/${courseId}/students?per_page=200`);
  return body.data.map(({ name, email }: { name: string; email: string }) => ({ name, email }));
}

const ok = { status: 200 };
const data = (expected: object) => ({ body: { data: expect.objectContaining(expected) } });

describe('a dry run', () => {
  test('shows the effect of the file and changes nothing', async () => {
    const { id } = await newCourse();
    const [enrolled, known] = [await newPerson(), await newPerson()];
    await atCourses('PUT', `/admin/courses/${id}/students/${enrolled.id}`, { paid: true });
    const before = await system.counts();
    const text = `email,name\n${enrolled.email},Any\n${known.email},Any\n${unique()}@school.example,Grace Hopper\n`;
    expect(await dryRun(id, text)).toMatchObject({
      ...ok,
      ...data({ enrolled: 2, created: 1, unchanged: 1, errors: [], token: expect.any(String) }),
    });
    expect(await system.counts()).toEqual(before);
  });

  test('lists every invalid line and returns no token', async () => {
    const { id, teacher } = await newCourse();
    const known = await newPerson();
    const lines = [
      'name;email',
      `Ada;${known.email.toUpperCase()}`,
      'Nobody;not an address',
      `Ada;${known.email}`,
      `Teacher;${teacher.email}`,
      `;${unique()}@school.example`,
      `Extra;${unique()}@school.example;more`,
    ];
    const { status, body } = await dryRun(id, lines.join('\r\n'));
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ enrolled: 1, created: 0, unchanged: 0, token: null });
    expect(body.data.errors).toEqual([
      { line: 3, message: 'The email must be a valid email address.' },
      { line: 4, message: 'Line 2 has the same email.' },
      { line: 5, message: 'This is not the account of a student.' },
      { line: 6, message: 'first_name: The first name field is required.' },
      { line: 7, message: 'The row has more cells than the first line has columns.' },
    ]);
  });

  test.each([
    ['without an address', 'name\nAda', 'lacks email'],
    ['without a name', 'email\nada@school.example', 'lacks name'],
    ['with a column twice', 'email,name,email\n', 'email twice'],
    ['that is empty', '', 'empty'],
    ['that is a workbook', 'PK\0\0', 'must be a CSV file'],
  ])('a file %s is refused', async (_, text, message) => {
    const { id } = await newCourse();
    expect(await dryRun(id, text)).toMatchObject({
      status: 422,
      body: { errors: { file: [expect.stringContaining(message)] } },
    });
  });

  test('a file without a dry run is rejected, and so is a request with neither a file nor a token', async () => {
    const { id } = await newCourse();
    const file = form({ file: new Blob(['name,email']) }, 'roster.csv');
    expect((await atCourses('POST', rosterPath(id), file)).status).toBe(422);
    expect((await atCourses('POST', rosterPath(id), {})).body.errors).toHaveProperty('token');
    expect((await atCourses('POST', `${rosterPath(id)}?dry_run=1`, form({}))).body.errors).toHaveProperty(
      'file',
    );
  });
});

describe('the file', () => {
  const names = async (text: string | Uint8Array<ArrayBuffer>) => {
    const { id } = await newCourse();
    const { body } = await dryRun(id, text);
    expect(body.data.errors).toEqual([]);
    expect((await apply(id, body.data.token)).status).toBe(200);
    return (await students(id)).map(({ name }) => name);
  };
  const email = () => `${unique()}@school.example`;

  test('semicolons, a byte order mark and any column order are accepted', async () => {
    expect(await names(`\uFEFFEmail;Note, with commas, and more;Name\n${email()};x;Zoë Ångström\n`)).toEqual([
      'Zoë Ångström',
    ]);
  });

  test('Windows-1252 is understood', async () => {
    const text = `name;email\nJosé Muñoz;${email()}\n`;
    expect(await names(new Uint8Array(Buffer.from(text, 'latin1')))).toEqual(['José Muñoz']);
  });

  test('people with one name have no last name, regardless of the columns (D56)', async () => {
    expect(await names(`name,email\nSukarno,${email()}\n`)).toEqual(['Sukarno']);
    expect(await names(`first_name,last_name,email\nSukarno,,${email()}\n`)).toEqual(['Sukarno']);
    expect(await names(`first_name,email\nPelé,${email()}\n`)).toEqual(['Pelé']);
  });

  test('a full name is split before its last word or at its comma', async () => {
    const [one, other] = [email(), email()];
    await names(`name,email\nMary Jane Watson,${one}\n"Lovelace, Ada",${other}\n`);
    const stored = await system.database.query(
      'SELECT first_name, last_name FROM auth.users WHERE email = ANY($1) ORDER BY last_name',
      [[one, other]],
    );
    expect(stored).toEqual([
      { first_name: 'Ada', last_name: 'Lovelace' },
      { first_name: 'Mary Jane', last_name: 'Watson' },
    ]);
  });

  test('a roster of 5,000 students is applied', async () => {
    const { id } = await newCourse();
    const lines = Array.from(
      { length: 5_000 },
      (_, index) => `Student ${index},large${index}@school.example`,
    );
    const { body } = await dryRun(id, ['name,email', ...lines].join('\n'));
    expect(body.data).toMatchObject({ enrolled: 5_000, created: 5_000, unchanged: 0, errors: [] });
    expect(await apply(id, body.data.token)).toMatchObject({
      ...ok,
      ...data({ enrolled: 5_000, created: 5_000, unchanged: 0 }),
    });
    const list = await atCourses('GET', `/admin/courses/${id}/students`);
    expect(list.body.meta.total).toBe(5_000);
  }, 120_000);

  test('a roster of more than 20,000 rows is refused', async () => {
    const { id } = await newCourse();
    const lines = Array.from({ length: 20_001 }, (_, index) => `S,long${index}@school.example`);
    expect(await dryRun(id, ['name,email', ...lines].join('\n'))).toMatchObject({
      status: 422,
      body: { errors: { file: ['The file may not have more than 20000 rows.'] } },
    });
  });
});

describe('applying it', () => {
  test('enrolls students as paid, removes nobody and changes no names', async () => {
    const { id } = await newCourse();
    const [present, unpaid, known] = [await newPerson(), await newPerson(), await newPerson('user', 'Grace')];
    await atCourses('PUT', `/admin/courses/${id}/students/${present.id}`, { paid: true });
    await atCourses('PUT', `/admin/courses/${id}/students/${unpaid.id}`, { paid: false });
    const text = `name,email\nOther Name,${known.email}\nAny,${unpaid.email}\n`;
    const { body } = await dryRun(id, text);
    expect(body.data).toMatchObject({ enrolled: 2, created: 0, unchanged: 0 });
    expect(await apply(id, body.data.token)).toMatchObject({
      ...ok,
      ...data({ enrolled: 2, created: 0, unchanged: 0, errors: [], token: null }),
    });
    expect((await students(id)).map(({ email }) => email).toSorted()).toEqual(
      [present.email, unpaid.email, known.email].toSorted(),
    );
    expect(await students(id)).toContainEqual({ name: 'Grace Lovelace', email: known.email });
    const paid = await system.database.query('SELECT FROM courses.roster WHERE course_id = $1 AND paid', [
      id,
    ]);
    expect(paid).toHaveLength(3);
    // Uploading the same file again changes nothing.
    expect((await dryRun(id, text)).body.data).toMatchObject({ enrolled: 0, created: 0, unchanged: 2 });
  });

  test('a token takes effect once, and only for its course and its owner', async () => {
    const { id, teacher } = await newCourse();
    const other = await newCourse();
    const { body } = await dryRun(id, `name,email\nAda,${(await newPerson()).email}\n`, teacher.token);
    const { token } = body.data;
    const refused = { status: 422, body: { errors: { token: [expect.any(String)] } } };
    expect(await apply(other.id, token, other.teacher.token)).toMatchObject(refused);
    expect(await apply(id, token)).toMatchObject(refused);
    expect(await atCourses('POST', '/admin/import', { token })).toMatchObject(refused);
    for (const _ of ['once', 'once more'])
      expect(await apply(id, token, teacher.token)).toMatchObject({ ...ok, ...data({ enrolled: 1 }) });
    expect(await students(id)).toHaveLength(1);
    const audited = await system.database.query(
      `SELECT body->'data'->'changes' AS changes FROM courses.outbox WHERE body->'data'->>'action' = 'roster.imported'
       AND body->'data'->>'object_id' = $1`,
      [String(id)],
    );
    expect(audited).toEqual([{ changes: { enrollments_create: [0, 1] } }]);
  });

  test('a course that has changed since the dry run is a conflict, and nothing is changed', async () => {
    const { id } = await newCourse();
    const [first, second] = [await newPerson(), await newPerson()];
    const { body } = await dryRun(
      id,
      `name,email\nA,${first.email}\nB,${second.email}\nC,${unique()}@school.example\n`,
    );
    await atCourses('PUT', `/admin/courses/${id}/students/${second.id}`, { paid: false });
    const before = await system.counts();
    const { status, body: refused } = await apply(id, body.data.token);
    expect([status, refused]).toEqual([409, { message: 'Changed meanwhile', errors: null }]);
    expect(await system.counts()).toEqual(before);
  });

  test('an address that has got an account since the dry run is a conflict', async () => {
    const { id } = await newCourse();
    const email = `${unique()}@school.example`;
    const { body } = await dryRun(id, `name,email\nAda,${email}\n`);
    const fields = { first_name: 'Eve', email, password, role: 'user' };
    await system.call('POST', `${system.auth.url}/api/v3/admin/users`, { body: fields });
    expect((await apply(id, body.data.token)).status).toBe(409);
    expect(await students(id)).toEqual([]);
  });

  test('a new account has no password, and gets its student number as its id in other imports', async () => {
    const { id } = await newCourse();
    const [numbered, other] = [`${unique()}@school.example`, `${unique()}@school.example`];
    const { body } = await dryRun(id, `name,email,student_number\nAda,${numbered},S-${id}\nEve,${other},\n`);
    await apply(id, body.data.token);
    for (const email of [numbered, other]) {
      const login = { email, password: 'none is given' };
      const answer = await system.call('POST', `${system.auth.url}/api/v3/login`, {
        token: null,
        body: login,
      });
      expect(answer.status).toBe(401);
    }
    const sources = await system.database.query(
      'SELECT s.sourced_id, u.email FROM auth.user_sources s JOIN auth.users u ON u.id = s.user_id WHERE u.email = ANY($1)',
      [[numbered, other]],
    );
    expect(sources).toEqual([{ sourced_id: `S-${id}`, email: numbered }]);
    const twice = `name,email,student_number\nZoe,${unique()}@school.example,7\nEve,${unique()}@school.example,7\n`;
    expect((await dryRun(id, twice)).body.data.errors).toEqual([
      { line: 3, message: 'Line 2 has the same student_number.' },
    ]);
    const again = await dryRun(id, `name,email,student_number\nZoe,${unique()}@school.example,S-${id}\n`);
    expect(again.body.data.errors).toEqual([
      { line: 2, message: 'The student_number belongs to another account.' },
    ]);
  });
});

describe('who may', () => {
  test('a teacher enrolls existing accounts and creates none', async () => {
    const { id, teacher } = await newCourse();
    const text = `name,email\nAda,${(await newPerson()).email}\nNew,${unique()}@school.example\n`;
    expect((await dryRun(id, text, teacher.token)).body.data).toMatchObject({
      enrolled: 1,
      created: 0,
      errors: [{ line: 3, message: 'There is no account with this email.' }],
      token: null,
    });
  });

  test('a course of another teacher is not found, and graders and students are rejected', async () => {
    const { id } = await newCourse();
    const { teacher: stranger } = await newCourse();
    const [grader, student] = [await newPerson('instructor'), await newPerson()];
    await atCourses('PUT', `/admin/courses/${id}/instructors/${grader.id}`, { role: 'grader' });
    const text = `name,email\nAda,${student.email}\n`;
    expect((await dryRun(id, text, stranger.token)).status).toBe(404);
    expect((await dryRun(999_999, text)).status).toBe(404);
    for (const caller of [grader, student]) expect((await dryRun(id, text, caller.token)).status).toBe(403);
    expect((await dryRun(id, text, 'none')).status).toBe(401);
  });
});

test('teachers create accounts if TEACHERS_CREATE_ACCOUNTS is on', async () => {
  const allowing = await startImportSystem({ TEACHERS_CREATE_ACCOUNTS: '1' });
  const before = system;
  try {
    system = allowing;
    const { id, teacher } = await newCourse();
    const email = `${unique()}@school.example`;
    const { body } = await dryRun(id, `name,email\nGrace Hopper,${email}\n`, teacher.token);
    expect(body.data).toMatchObject({ enrolled: 1, created: 1, errors: [] });
    expect((await apply(id, body.data.token, teacher.token)).status).toBe(200);
    expect(await students(id)).toEqual([{ name: 'Grace Hopper', email }]);
  } finally {
    system = before;
    await allowing.close();
  }
});
