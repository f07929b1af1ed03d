// Compares gradings with pgbench writing the same rows, and measures how soon a grade appears in the gradebook.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFakePeers } from '@gradeway/test/fakePeers';
import { startRabbit } from '@gradeway/test/rabbitmq';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { waitFor } from '@gradeway/test/waitFor';
import { Client } from 'pg';
import { type BenchDatabase, startBenchDatabase } from '../support/database/benchDatabase.ts';
import { fillQuizzes } from '../support/database/fillLists.ts';
import { runPgbench } from '../support/database/pgbench.ts';
import { gradingPath, gradingRequests } from '../support/load/gradingRequests.ts';
import { loadRequests } from '../support/load/loadRequests.ts';
import { type Figures, type Measurement, measure } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { percentile, short } from '../support/measuring/statistics.ts';
import { type BenchProcess, startBenchProcess } from '../support/processes/benchProcess.ts';

const [quizzes, perQuiz, connections, seconds] = [2_500, 40, 16, 4];
const submissions = quizzes * perQuiz;
const [perSecond, gradingsPerRound] = [200, 1_000];

// The events are marked as sent, so that the service's relay ignores them. Either state creates an index entry.
const sameRows = `
\\set id random(1, ${submissions})
\\set grade random(1, 10)
BEGIN;
UPDATE submissions SET grade = :grade, total_grade = 10, graded_by = 1, graded_at = now(), revision = revision + 1
  WHERE id = :id;
INSERT INTO gradings (submission_id, grade, total_grade, graded_by, graded_at) VALUES (:id, :grade, 10, 1, now());
INSERT INTO outbox (event_id, type, body, sent_at) VALUES
  (gen_random_uuid(), 'quiz.submission.graded.v1', $$${JSON.stringify(eventLike(12))}$$, now()),
  (gen_random_uuid(), 'audit.recorded.v1', $$${JSON.stringify(eventLike(14))}$$, now());
COMMIT;
`;

export async function run(): Promise<Row[]> {
  const [database, rabbit] = [await startBenchDatabase({ durable: true }), await startRabbit()];
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const surroundings = { database, peers, tokens, env: { EVENTS_URL: rabbit.url } };
  const quiz = await startBenchProcess('quiz', surroundings);
  await database.fill('quiz', fillQuizzes(quizzes, perQuiz));
  const token = tokens.sign(1, 'admin');

  const requests = gradingRequests(submissions, token);
  const pgbench = () =>
    runPgbench({ databaseUrl: database.url('quiz'), scripts: [sameRows], connections, seconds });
  const load = () => loadRequests({ origin: quiz.url, requests, connections, seconds });
  const rates = await measure({
    rounds: 7,
    subjects: [
      { name: 'pgbench', run: pgbench, processes: () => [database.pid] },
      { name: 'service', run: load, processes: () => [database.pid, quiz.pid] },
    ],
  });
  console.log(rates.table());
  await everythingSent(database);
  for (const queue of ['learning.courses', 'learning.courses-webhooks', 'learning.auth'])
    await rabbit.control('purge_queue', queue);

  const courses = await startBenchProcess('courses', surroundings);
  const delays = await measureDelays(database, quiz, token);
  console.log(delays.table());
  for (const each of [courses, quiz]) await each.stop();
  await rabbit.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();
  return rowsOf(rates, delays);
}

// Thousands of gradings wait to be sent, and events are sent in order.
async function everythingSent(database: BenchDatabase): Promise<void> {
  const client = new Client({ connectionString: database.url('quiz') });
  await client.connect();
  const waiting = 'SELECT 1 FROM outbox WHERE sent_at IS NULL LIMIT 1';
  await waitFor(async () => (await client.query(waiting)).rowCount === 0, 300_000, 500);
  await client.end();
}

async function measureDelays(
  database: BenchDatabase,
  quiz: BenchProcess,
  token: string,
): Promise<Measurement> {
  await database.fill(
    'courses',
    `INSERT INTO people SELECT n, 'First' || n, 'Last' || n, n || '@test.example', false, 1
       FROM generate_series(1, 5000) n;
     CREATE FUNCTION announce() RETURNS trigger LANGUAGE plpgsql AS
       'BEGIN PERFORM pg_notify(''graded'', NEW.submission_id::text); RETURN NULL; END';
     CREATE TRIGGER announce AFTER INSERT OR UPDATE ON grades FOR EACH ROW EXECUTE FUNCTION announce();`,
  );
  const [sentAt, delays] = [new Map<number, number>(), [] as number[]];
  const listener = new Client({ connectionString: database.url('courses') });
  await listener.connect();
  await listener.query('LISTEN graded');
  // A notification arrives when its transaction has committed.
  listener.on('notification', ({ payload }) => {
    const sent = sentAt.get(Number(payload));
    if (sent !== undefined) delays.push(performance.now() - sent);
  });
  let next = submissions / 2;
  const agent = new Agent({ keepAlive: true });
  async function round(): Promise<Figures> {
    delays.length = 0;
    const startedAt = performance.now();
    for (let sent = 0; sent < gradingsPerRound; sent += 1) {
      await sleep(Math.max(0, startedAt + (sent * 1_000) / perSecond - performance.now()));
      next += 1;
      sentAt.set(next, performance.now());
      grade(agent, `${quiz.url}${gradingPath(next)}`, token);
    }
    await waitFor(async () => delays.length >= gradingsPerRound, 30_000);
    return { p50Ms: percentile(delays, 50), p99Ms: percentile(delays, 99) };
  }
  const measured = await measure({ rounds: 6, subjects: [{ name: 'gradebook', run: round }] });
  agent.destroy();
  await listener.end();
  return measured;
}

// Not awaited: gradings begin at a fixed rate, however long the earlier ones take.
function grade(agent: Agent, address: string, token: string): void {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const sent = request(address, { agent, method: 'POST', headers }, (answer) => {
    if (answer.statusCode !== 200) throw new Error(`a grading failed with status ${answer.statusCode}`);
    answer.resume();
  });
  // A grade that pgbench does not write, because a grading that changes nothing publishes no event.
  sent.end(JSON.stringify({ grade: 9.5, total_grade: 10 }));
}

// The size of a real event: its envelope has eight fields, its data the rest.
function eventLike(fields: number): Record<string, string> {
  const names = Array.from({ length: fields + 8 }, (_, index) => [
    `field_${index}`,
    'a value of some length',
  ]);
  return Object.fromEntries(names) as Record<string, string>;
}

function rowsOf(rates: Measurement, delays: Measurement): Row[] {
  const figures = ['service', 'pgbench'].map((name) => `${name} ${short(rates.median(name, 'rate'))}`);
  const cpu = ['service', 'pgbench'].map((name) => short(rates.median(name, 'cpu')));
  return [
    {
      name: 'grading.rate',
      work: 'grading (commit to disk, outbox, history): gradings a second',
      against: 'pgbench writing the same rows',
      goal: { atLeast: 0.45 },
      values: rates.ratios('service', 'pgbench', 'rate'),
      note: `gradings/s: ${figures.join(', ')}; CPU: ${cpu.join(' and ')} µs`,
    },
    {
      name: 'grading.gradebook',
      work: `${perSecond} gradings a second: from the request to the gradebook through RabbitMQ, p99`,
      against: '-',
      goal: { atMost: 250 },
      unit: 'ms',
      values: delays.values('gradebook', 'p99Ms'),
      note: `median ${short(delays.median('gradebook', 'p50Ms'))} ms`,
    },
  ];
}
