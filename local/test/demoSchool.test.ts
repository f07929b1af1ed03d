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

/** A client that is logged in as a person of the demo school. */
async function logIn(name: string): Promise<HttpClient> {
  const { demoPassword } = JSON.parse(await readFile(join(system.directory, 'secrets.json'), 'utf8'));
  const fixtures = new Fixtures(system);
  const { body } = await fixtures.logIn(`${name}@demo.gradeway.local`, demoPassword);
  return fixtures.callAs(body.access_token);
}

const listOf = async (client: HttpClient, path: string) => (await client.get(path)).body.data;

/** Every item of a grader with its submissions. */
async function allItems(grader: HttpClient): Promise<{ item: Item; rows: { flags: unknown[] }[] }[]> {
  const found = [];
  for (const kind of ['quizzes', 'homeworks'])
    for (const item of await listOf(grader, `/api/v3/grading/${kind}`))
      found.push({
        item,
        rows: await listOf(grader, `/api/v3/grading/${kind}/${item.id}/submissions?per_page=200`),
      });
  return found;
}

test('the demo school has thirty submissions for its instructors: some graded, some flagged, some by a rubric', async () => {
  expect(system.output()).toContain(`Open this address in a browser: ${system.baseUrl}\n\nLog in as\n`);
  expect(system.output()).toMatch(/instructor +emmy@.*\n +instructor +david@/);
  const items = await allItems(await logIn('emmy'));
  const rows = items.flatMap((each) => each.rows);
  expect(rows).toHaveLength(30);
  expect(rows.filter(({ flags }) => flags.length > 0).length).toBeGreaterThanOrEqual(3);
  expect(
    items.map(({ item }) => [item.title, item.submissions, item.graded, item.has_rubric]).toSorted(),
  ).toEqual([
    ['Cyclic groups', 6, 0, false],
    ['Groups and symmetries', 14, 6, true],
    ['Rings and ideals', 4, 0, false],
    ['Sets and maps', 6, 6, false],
  ]);
});

test('a student has an open quiz and open homework to submit, others that are over, and a grade', async () => {
  const student = await logIn('ada');
  const isOpen = ({ opens_at, closes_at }: { opens_at: string; closes_at: string }) =>
    new Date(`${opens_at}Z`) <= new Date() && new Date() < new Date(`${closes_at}Z`);
  const quizzes = await listOf(student, '/api/v3/quiz/available');
  expect(quizzes.filter(isOpen).map(({ title }: Item) => title)).toEqual(['Rings and ideals']);
  const homework = await listOf(student, '/api/v3/homeworks');
  expect(homework.map((each: { submission: object | null }) => each.submission === null).toSorted()).toEqual([
    false,
    true,
  ]);
  expect((await listOf(student, '/api/v3/grades')).length).toBeGreaterThan(0);
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
