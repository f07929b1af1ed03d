// Measures the student list of a course with 100,000 students: search terms in the database, and a page without a
// search.
import { startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { Client } from 'pg';
import { startServer } from '../support/baselines/startServer.ts';
import { startBenchDatabase } from '../support/database/benchDatabase.ts';
import { runPgbench, scriptOf } from '../support/database/pgbench.ts';
import { loadRequests } from '../support/load/loadRequests.ts';
import { measure, type Subject } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { median, short } from '../support/measuring/statistics.ts';
import { startBenchProcess } from '../support/processes/benchProcess.ts';

const [students, otherStudents, connections, seconds] = [100_000, 50_000, 16, 4];
// One letter that all names have, two letters, part of a name, a domain, one student, no match, accents, and a long term.
const terms = ['a', 'an', 'son12', '@test', 'peter9999@', 'zzzz', 'é', 'Firstname of nobody at all'];

const fill = `
  INSERT INTO courses (title, student_count) OVERRIDING SYSTEM VALUE
    SELECT 'Course ' || n, CASE n WHEN 1 THEN ${students} ELSE ${otherStudents} END FROM generate_series(1, 2) n;
  INSERT INTO people SELECT n, (ARRAY['Anna', 'Peter', 'Zoé', 'Mehmet', 'Anastasia'])[n % 5 + 1] || n % 1000,
    'Anderson' || n % 7919, 'anna.peter' || n || '@test.example', false, 1
    FROM generate_series(1, ${students}) n;
  INSERT INTO roster (course_id, user_id, is_enrolled, paid, revision, first_name, last_name, email)
    SELECT c, user_id, true, true, 1, first_name, last_name, email FROM people, generate_series(1, 2) c
    WHERE c = 1 OR user_id <= ${otherStudents};`;

export async function run(): Promise<Row[]> {
  const database = await startBenchDatabase();
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const service = await startBenchProcess('courses', { database, peers, tokens });
  await database.fill('courses', fill);
  const token = tokens.sign(1, 'admin');
  const path = '/api/v3/admin/courses/1/students';
  const statementsOf = (query: string) =>
    database.statementsOf('courses', async () => {
      const answer = await fetch(`${service.url}${path}?${query}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      if (!answer.ok) throw new Error(`the list failed with status ${answer.status}`);
    });

  const searches = new Map<string, string[]>();
  for (const term of terms) searches.set(term, await statementsOf(`search=${encodeURIComponent(term)}`));
  const ofPage = await statementsOf('page=1');
  const scripts = [scriptOf(ofPage)];
  // The client connects only now, because enabling the statement log ends the connections of its role.
  const client = new Client({ connectionString: database.url('courses') });
  await client.connect();
  const subjects = [...searches].map(
    ([name, statements]): Subject => ({
      name,
      run: async () => ({ ms: await timeOf(client, statements) }),
    }),
  );
  const searched = await measure({ subjects, rounds: 15, warmUps: 3 });
  console.log(searched.table());

  const pgbench = () => runPgbench({ databaseUrl: database.url('courses'), scripts, connections, seconds });
  const load = (origin: string) => () =>
    loadRequests({ origin, requests: [{ path: `${path}?page=1`, token }], connections, seconds });
  const bare = await startServer('bareHttp.ts', {
    DATABASE_URL: database.url('courses'),
    STATEMENTS: JSON.stringify(ofPage),
  });
  const processes = (pids: number[]) => () => [...pids, database.pid];
  const paged = await measure({
    rounds: 7,
    subjects: [
      { name: 'pgbench', run: pgbench, processes: processes([]) },
      { name: 'bare', run: load(bare.url), processes: processes([bare.pid]) },
      { name: 'service', run: load(service.url), processes: processes([service.pid]) },
    ],
  });
  console.log(paged.table());
  await client.end();
  for (const each of [bare, service]) await each.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();

  const slowest = terms.toSorted((a, b) => searched.median(b, 'ms') - searched.median(a, 'ms'))[0] ?? '';
  const figures = terms.map((term) => `${term} ${short(searched.median(term, 'ms'))}`);
  const rates = ['service', 'bare', 'pgbench'].map((name) => `${name} ${short(paged.median(name, 'rate'))}`);
  return [
    {
      name: 'students.search',
      work: `a page of the students of a course of ${students} with a search term, exact total: time in the database, slowest of ${terms.length} terms`,
      against: '-',
      goal: { atMost: 25 },
      unit: 'ms',
      values: searched.values(slowest, 'ms'),
      note: `ms: ${figures.join(', ')}`,
    },
    {
      name: 'students.page',
      work: 'a page of the same course without search: pages a second',
      against: 'pgbench, the same SQL alone',
      goal: { atLeast: 0.6 },
      values: paged.ratios('service', 'pgbench', 'rate'),
      note: `pages/s: ${rates.join(', ')}; bare: node:http and pg alone`,
    },
  ];
}

// The median of three executions.
async function timeOf(client: Client, statements: string[]): Promise<number> {
  const times: number[] = [];
  for (let repetition = 0; repetition < 3; repetition += 1) {
    const startedAt = performance.now();
    for (const statement of statements) await client.query(statement);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
