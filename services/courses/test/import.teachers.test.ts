import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ImportRow, type ImportSystem, startImportSystem } from './importSystem.ts';
import { archiveOf, type School, schoolOf } from './oneRosterArchive.ts';

let system: ImportSystem;
beforeAll(async () => {
  system = await startImportSystem();
});
afterAll(() => system.close());

const status = 'tobedeleted';

/** A school with a student and a teacher of its class, `t1`. */
function schoolWithTeacher(mark: string): School {
  const school = schoolOf(mark, 1);
  school.users.push(person(mark, 't1', 'teacher'));
  school.enrollments.push(enrollment(mark, 'te1', 't1'));
  return school;
}

const person = (mark: string, name: string, role: string) => ({
  sourcedId: `${mark}-${name}`,
  role,
  givenName: 'Emmy',
  familyName: name,
  email: `${mark}-${name}@school.example`,
});

const enrollment = (mark: string, name: string, who: string, role = 'teacher', inClass = 'k1') => ({
  sourcedId: `${mark}-${name}`,
  classSourcedId: `${mark}-${inClass}`,
  userSourcedId: `${mark}-${who}`,
  role,
});

const importSchool = async (school: Partial<School>): Promise<ImportRow[]> => {
  const { status, body } = await system.send(await archiveOf(school));
  expect([status, body.data?.state], JSON.stringify(body)).toEqual([200, 'done']);
  return body.data.rows;
};
const enrollments = (rows: ImportRow[]) =>
  rows.filter(({ file }) => file === 'enrollments.csv').map(({ action }) => action);
const admin = (path: string) => `${system.courses.url}/api/v3/admin${path}`;
const courseOf = async (mark: string): Promise<number> => {
  const query = 'SELECT course_id FROM courses.course_sources WHERE sourced_id = $1';
  return (await system.database.query<{ course_id: number }>(query, [`${mark}-c1`]))[0]?.course_id ?? 0;
};
const accountOf = async (sourcedId: string): Promise<number> => {
  const query = 'SELECT user_id FROM auth.user_sources WHERE sourced_id = $1';
  return (await system.database.query<{ user_id: number }>(query, [sourcedId]))[0]?.user_id ?? 0;
};
const namesOf = async (mark: string, list: 'instructors' | 'students') =>
  (await system.call('GET', admin(`/courses/${await courseOf(mark)}/${list}`))).body.data.map(
    ({ name }: { name: string }) => name,
  );
const changeAccount = async (sourcedId: string, change: object) =>
  system.call('PATCH', `${system.auth.url}/api/v3/admin/users/${await accountOf(sourcedId)}`, {
    body: change,
  });

test('a teacher enrollment assigns the instructor, and a repetition changes nothing', async () => {
  const school = schoolWithTeacher('assigned');
  const rows = await importSchool(school);
  expect(rows.at(-1)).toMatchObject({
    file: 'enrollments.csv',
    line: 3,
    sourced_id: 'assigned-te1',
    action: 'create',
    changes: { assigned: [false, true], role: [null, 'teacher'] },
    messages: [],
  });
  expect(await namesOf('assigned', 'instructors')).toEqual(['Emmy t1']);
  expect(await namesOf('assigned', 'students')).toEqual(['Ada L1']);
  const before = await system.counts();
  expect(new Set((await importSchool(school)).map(({ action }) => action))).toEqual(new Set(['unchanged']));
  expect(await system.counts()).toEqual(before);
  const events = await system.database.query(
    `SELECT type FROM courses.outbox WHERE type LIKE 'course.instructor.%' AND body->'data'->'course_id' = to_jsonb($1::int)`,
    [await courseOf('assigned')],
  );
  expect(events).toEqual([{ type: 'course.instructor.assigned.v1' }]);
});

test('a dry run counts the assignment among the enrollments and assigns no instructor', async () => {
  const { body } = await system.dryRun(await archiveOf(schoolWithTeacher('planned')));
  expect(body.data.summary.enrollments).toMatchObject({ create: 2, ignored: 0 });
  expect(await courseOf('planned')).toBe(0);
  expect(await system.commit(body.data.token)).toMatchObject({ status: 200 });
  expect(await namesOf('planned', 'instructors')).toEqual(['Emmy t1']);
});

test('a teacher row with tobedeleted removes the instructor unless another enrollment retains the assignment', async () => {
  await importSchool(schoolWithTeacher('removed'));
  expect(enrollments(await importSchool({ enrollments: [{ sourcedId: 'removed-te1', status }] }))).toEqual([
    'delete',
  ]);
  expect(await namesOf('removed', 'instructors')).toEqual([]);
  expect(await namesOf('removed', 'students')).toEqual(['Ada L1']);

  expect(enrollments(await importSchool(schoolWithTeacher('removed')))).toEqual(['unchanged', 'create']);
  const byReference = { ...enrollment('removed', 'unknown', 't1'), status };
  expect(enrollments(await importSchool({ enrollments: [byReference] }))).toEqual(['unchanged']);
  const known = { ...enrollment('removed', 'te1', 't1'), status };
  expect(enrollments(await importSchool({ enrollments: [known] }))).toEqual(['delete']);
  expect(await namesOf('removed', 'instructors')).toEqual([]);
  expect(enrollments(await importSchool({ enrollments: [known] }))).toEqual(['unchanged']);
});

test('an instructor whom an administrator assigned is removed by the references of a teacher enrollment', async () => {
  const school = schoolWithTeacher('manual');
  school.enrollments.pop();
  await importSchool(school);
  const path = admin(`/courses/${await courseOf('manual')}/instructors/${await accountOf('manual-t1')}`);
  expect((await system.call('PUT', path)).status).toBe(200);
  const row = { ...enrollment('manual', 'te1', 't1'), status };
  expect(enrollments(await importSchool({ enrollments: [row] }))).toEqual(['delete']);
  expect(await namesOf('manual', 'instructors')).toEqual([]);
});

test('a teacher of several classes of a course is assigned until the last enrollment ends', async () => {
  const school = schoolWithTeacher('twice');
  school.classes.push({ sourcedId: 'twice-k2', title: 'Rings', courseSourcedId: 'twice-c1' });
  school.enrollments.push(enrollment('twice', 'te2', 't1', 'teacher', 'k2'));
  const rows = await importSchool(school);
  expect(enrollments(rows)).toEqual(['create', 'create', 'unchanged']);
  expect(rows.at(-1)?.messages).toEqual(['Line 3 assigns the same person to the same course.']);
  const end = async (sourcedId: string) =>
    enrollments(await importSchool({ enrollments: [{ sourcedId, status }] }));
  expect(await end('twice-te1')).toEqual(['unchanged']);
  expect(await namesOf('twice', 'instructors')).toEqual(['Emmy t1']);
  expect(await end('twice-te2')).toEqual(['delete']);
  expect(await namesOf('twice', 'instructors')).toEqual([]);
});

test('a proctor is assigned as a grader, and a teacher of another class of the course as a teacher', async () => {
  const school = schoolWithTeacher('proctor');
  school.classes.push({ sourcedId: 'proctor-k2', title: 'Rings', courseSourcedId: 'proctor-c1' });
  school.users.push(person('proctor', 'p1', 'proctor'), person('proctor', 't2', 'teacher'));
  school.enrollments.push(
    enrollment('proctor', 'pe1', 'p1', 'proctor'),
    enrollment('proctor', 'pe2', 't2', 'proctor'),
    enrollment('proctor', 'te2', 't2', 'teacher', 'k2'),
  );
  const rows = await importSchool(school);
  expect(rows.find(({ sourced_id }) => sourced_id === 'proctor-pe1')).toMatchObject({
    action: 'create',
    changes: { assigned: [false, true], role: [null, 'grader'] },
  });
  const list = admin(`/courses/${await courseOf('proctor')}/instructors`);
  const roles = async () =>
    (await system.call('GET', list)).body.data.map(({ name, role }: Record<string, string>) => [name, role]);
  const imported = [
    ['Emmy p1', 'grader'],
    ['Emmy t1', 'teacher'],
    ['Emmy t2', 'teacher'],
  ];
  expect(await roles()).toEqual(imported);

  await system.call('PUT', `${list}/${await accountOf('proctor-t1')}`, { body: { role: 'grader' } });
  expect(new Set(enrollments(await importSchool(school)))).toEqual(new Set(['unchanged']));
  expect(await roles()).toEqual([imported[0], ['Emmy t1', 'grader'], imported[2]]);

  const ended = { ...enrollment('proctor', 'pe1', 'p1', 'proctor'), status };
  expect(enrollments(await importSchool({ enrollments: [ended] }))).toEqual(['delete']);
});

test('an account that the archive makes a teacher is assigned, and stays assigned when late events arrive', async () => {
  const school = schoolOf('promoted', 1);
  await importSchool(school);
  Object.assign(school.users[0] ?? {}, { role: 'teacher', familyName: 'Promoted' });
  school.enrollments.push(enrollment('promoted', 'te1', 'u1'));
  expect(enrollments(await importSchool(school))).toEqual(['unchanged', 'create']);
  await waitFor(async () => (await namesOf('promoted', 'instructors'))[0] === 'Ada Promoted');
  await changeAccount('promoted-u1', { role: 'user' });
  await waitFor(async () => (await namesOf('promoted', 'instructors')).length === 0);
});

test('teachers whose account has another role are ignored without an error', async () => {
  const school = schoolWithTeacher('others');
  school.users.push(person('others', 'a1', 'administrator'), person('others', 's1', 'student'), {
    ...person('others', 'h1', 'teacher'),
    email: 'admin@school.example',
  });
  for (const who of ['a1', 's1', 'h1']) school.enrollments.push(enrollment('others', `te-${who}`, who));
  const rows = (await importSchool(school)).filter(({ file }) => file === 'enrollments.csv');
  const everyCourse = 'Administrators can grade every course without being assigned to it.';
  expect(rows.map(({ action, messages }) => [action, ...messages])).toEqual([
    ['create'],
    ['create'],
    ['ignored', everyCourse],
    ['ignored', 'Only teachers can be assigned to a course.'],
    ['ignored', everyCourse],
  ]);
  expect(await namesOf('others', 'instructors')).toEqual(['Emmy t1']);
});

test('a teacher enrollment without its class or account is an error with its line', async () => {
  const school = schoolWithTeacher('broken');
  school.enrollments.push(
    enrollment('broken', 'te2', 't1', 'teacher', 'k9'),
    enrollment('broken', 'te3', 'nobody'),
  );
  expect(await system.send(await archiveOf(school))).toMatchObject({
    status: 422,
    body: {
      errors: {
        'enrollments.csv:4': [expect.stringMatching(/^The classSourcedId matches no class/)],
        'enrollments.csv:5': [expect.stringMatching(/^The userSourcedId matches nobody/)],
      },
    },
  });
});

test('the sourcedId of a teacher cannot become the sourcedId of a student while the assignment lasts', async () => {
  await importSchool(schoolWithTeacher('reused'));
  const row = enrollment('reused', 'te1', 'u1', 'student');
  expect(await system.send(await archiveOf({ enrollments: [row] }))).toMatchObject({
    status: 422,
    body: {
      errors: {
        'enrollments.csv:2': ['Another enrollment has this sourcedId and must be ended first.'],
      },
    },
  });
});

test.each([
  [
    'the instructor',
    async () => admin(`/courses/${await courseOf('stale')}/instructors/${await accountOf('stale-t1')}`),
  ],
  ['the account', async () => undefined],
])('a commit is 409 and assigns no instructor when %s changed since the dry run', async (_what, pathOf) => {
  const school = schoolWithTeacher('stale');
  const [row] = school.enrollments.splice(1);
  await importSchool(school);
  const { body } = await system.dryRun(await archiveOf({ enrollments: [row ?? {}] }));
  const path = await pathOf();
  if (path) for (const method of ['PUT', 'DELETE']) await system.call(method, path);
  else {
    await changeAccount('stale-t1', { first_name: `Emmy ${crypto.randomUUID()}` });
    const known = 'SELECT revision FROM courses.people WHERE user_id = $1 AND revision > 1';
    const id = await accountOf('stale-t1');
    await waitFor(async () => (await system.database.query(known, [id])).length > 0);
  }
  expect(await system.commit(body.data.token)).toMatchObject({ status: 409 });
  expect(await namesOf('stale', 'instructors')).toEqual([]);
});
