import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Fixtures } from '@gradeway/test/fixtures';
import type { HttpClient } from '@gradeway/test/httpClient';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { afterAll, beforeAll, expect, test } from 'vitest';

let system: LocalSystem;
beforeAll(async () => {
  system = await startLocalSystem({ DEMO_DATA: '1' });
});
afterAll(() => system?.remove());

interface Item {
  id: number;
  title: string;
  submissions: number;
  graded: number;
  has_rubric: boolean;
}

interface Row {
  flags: unknown[];
  late: object | null;
}

/** A client that is logged in as a person of the demo school. */
async function logIn(name: string): Promise<HttpClient> {
  const { demoPassword } = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
  const fixtures = new Fixtures(system);
  const { body } = await fixtures.logIn(`${name}@demo.gradeway.local`, demoPassword);
  return fixtures.callAs(body.access_token);
}

const listOf = async (client: HttpClient, path: string) => (await client.get(path)).body.data;

/** Every item of a grader with its submissions. */
async function allItems(grader: HttpClient): Promise<{ item: Item; rows: Row[] }[]> {
  const found = [];
  for (const kind of ['quizzes', 'homeworks'])
    for (const item of await listOf(grader, `/api/v3/grading/${kind}`))
      found.push({
        item,
        rows: await listOf(grader, `/api/v3/grading/${kind}/${item.id}/submissions?per_page=200`),
      });
  return found;
}

test('the demo school has submissions for its instructors: some graded, some of them with a rubric, some flagged, and one late', async () => {
  expect(system.output()).toContain(`Open this address in a browser: ${system.baseUrl}\n\nLog in as\n`);
  expect(system.output()).toMatch(/instructor +emmy@.*\n +instructor +david@/);
  const items = await allItems(await logIn('emmy'));
  const rows = items.flatMap((each) => each.rows);
  expect(rows).toHaveLength(39);
  expect(rows.filter(({ late }) => late !== null)).toHaveLength(1);
  expect(rows.filter(({ flags }) => flags.length > 0).length).toBeGreaterThanOrEqual(3);
  expect(
    items.map(({ item }) => [item.title, item.submissions, item.graded, item.has_rubric]).toSorted(),
  ).toEqual([
    ['Cyclic groups', 6, 0, false],
    ['Exam', 4, 2, false],
    ['Fields', 4, 3, false],
    ['Groups and symmetries', 14, 6, true],
    ['Modules', 0, 0, false],
    ['Rings and ideals', 4, 0, false],
    ['Sets and maps', 7, 6, false],
  ]);
});

test('a student has an open quiz and open homework to submit, closed ones, and a grade', async () => {
  const student = await logIn('ada');
  const isOpen = ({ opens_at, closes_at }: { opens_at: string; closes_at: string }) =>
    new Date(`${opens_at}Z`) <= new Date() && new Date() < new Date(`${closes_at}Z`);
  const quizzes = await listOf(student, '/api/v3/quiz/available');
  expect(quizzes.filter(isOpen).map(({ title }: Item) => title)).toEqual([
    'Exam',
    'Fields',
    'Rings and ideals',
  ]);
  const homework = await listOf(student, '/api/v3/homeworks');
  expect(homework.map((each: { submission: object | null }) => each.submission === null).toSorted()).toEqual([
    false,
    true,
  ]);
  expect((await listOf(student, '/api/v3/grades')).length).toBeGreaterThan(0);
});

test('the demo school has a course with a teacher, a draft, held-back grades, an extension and a missing student', async () => {
  const [teacher, grader] = [await logIn('emmy'), await logIn('david')];
  const quizzes = await listOf(teacher, '/api/v3/grading/quizzes');
  const quizOf = (title: string) => quizzes.find((each: Item) => each.title === title);
  expect(quizOf('Modules')).toMatchObject({ published: false });
  const fields = quizOf('Fields');
  expect(fields).toMatchObject({ published: true, release: 'manual', released_at: null, graded: 3 });
  const student = await logIn('evariste');
  const own = await listOf(student, '/api/v3/quiz/submissions?per_page=100');
  expect(own.find((each: { quiz_id: number }) => each.quiz_id === fields.id)).toMatchObject({ is_marked: 0 });
  expect(
    await listOf(teacher, `/api/v3/grading/quizzes/${quizOf('Rings and ideals').id}/allowances`),
  ).toMatchObject([{ student: { name: 'Sofya Kovalevskaya' }, extra_minutes: 15 }]);
  const everyone = await teacher.get(`/api/v3/grading/quizzes/${fields.id}/students`);
  expect(everyone.body.meta.counts).toEqual({ missing: 10, submitted: 1, graded: 3, excused: 0 });
  expect((await grader.post(`/api/v3/grading/quizzes/${fields.id}/release`)).status).toBe(403);
});

test('the demo school has an exam that two graders grade by question, with a group and a review', async () => {
  const grader = await logIn('david');
  const exam = (await listOf(grader, '/api/v3/grading/quizzes')).find((each: Item) => each.title === 'Exam');
  const path = `/api/v3/grading/quizzes/${exam.id}`;
  const progress = await listOf(grader, `${path}/progress`);
  expect(progress.map((each: { label: string; graded: number }) => [each.label, each.graded])).toEqual([
    ['1', 4],
    ['2a', 4],
    ['2b', 3],
    ['3', 3],
    ['4', 2],
  ]);
  const [{ question_id }] = progress;
  expect(await listOf(grader, `${path}/questions/${question_id}/groups`)).toMatchObject([
    { size: 4, graded: 4 },
  ]);
  expect(await listOf(grader, `${path}/reviews`)).toMatchObject([{ state: 'open', label: '2b' }]);
});

test('a second start announces the same accounts and loads no data again', async () => {
  const before = system.output();
  await system.stop();
  await system.start();
  const second = system.output().slice(before.length);
  expect(second).not.toContain('Loading the demo school');
  expect(second).toContain('ada@demo.gradeway.local');
  const admin = await new Fixtures(system).asAdmin();
  expect((await admin.get('/api/v3/admin/courses')).body.meta.total).toBe(2);
});
