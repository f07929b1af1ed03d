// Compares services that reach PostgreSQL through PgBouncer with services that connect to it directly, and lists from
// a read replica with lists from the primary. The goals are limits for later changes: PgBouncer and the replica share
// the processors with everything else.
import { type FakePeers, startFakePeers } from '@gradeway/test/fakePeers';
import { startPgBouncer } from '@gradeway/test/pgBouncer';
import { startReplicatedDatabase } from '@gradeway/test/replicatedDatabase';
import { startTokenIssuer, type TokenIssuer } from '@gradeway/test/tokenIssuer';
import { startBenchDatabase } from '../support/database/benchDatabase.ts';
import { fillQuizzes } from '../support/database/fillLists.ts';
import { gradingRequests } from '../support/load/gradingRequests.ts';
import { loadRequests } from '../support/load/loadRequests.ts';
import { type Measurement, measure, type Subject } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { short } from '../support/measuring/statistics.ts';
import { startBenchProcess } from '../support/processes/benchProcess.ts';

const [quizzes, perQuiz, students, connections, seconds, rounds] = [2_500, 40, 10_000, 16, 4, 7];
// The default pool size of a service, so that both have the same number of connections to PostgreSQL.
const poolSize = 10;

interface Clients {
  peers: FakePeers;
  tokens: TokenIssuer;
}

export async function run(): Promise<Row[]> {
  const clients: Clients = { peers: await startFakePeers(), tokens: await startTokenIssuer() };
  const rows = [...(await comparePgBouncer(clients)), await compareReplica(clients)];
  await Promise.all([clients.peers.close(), clients.tokens.close()]);
  return rows;
}

async function comparePgBouncer(clients: Clients): Promise<Row[]> {
  const token = clients.tokens.sign(1, 'admin');
  const grading = gradingRequests(quizzes * perQuiz, token);
  const gradings = await compareServices('quiz', fillQuizzes(quizzes, perQuiz), grading, clients);
  const lists = await compareServices(
    'courses',
    fillStudents,
    [{ path: '/api/v3/admin/courses/1/students', token }],
    clients,
  );
  return [
    {
      name: 'pgbouncer.gradings',
      work: 'gradings a second through PgBouncer in transaction mode',
      against: 'the same without PgBouncer',
      goal: { atLeast: 0.65 },
      values: gradings.ratios('pgbouncer', 'direct', 'rate'),
      note: noteOf(gradings, ['pgbouncer', 'direct']),
    },
    {
      name: 'pgbouncer.students',
      work: 'pages of students a second through PgBouncer in transaction mode',
      against: 'the same without PgBouncer',
      goal: { atLeast: 0.65 },
      values: lists.ratios('pgbouncer', 'direct', 'rate'),
      note: noteOf(lists, ['pgbouncer', 'direct']),
    },
  ];
}

const noteOf = (measured: Measurement, names: string[]): string =>
  names
    .map(
      (name) =>
        `${name} ${short(measured.median(name, 'rate'))}/s, CPU ${short(measured.median(name, 'cpu'))} µs`,
    )
    .join('; ');

type Requests = Parameters<typeof loadRequests>[0]['requests'];

/** Sends the same requests to the services alternately. */
async function compareUnderLoad(
  requests: Requests,
  services: { name: string; url: string; processes: number[] }[],
): Promise<Measurement> {
  const subjects = services.map(
    ({ name, url, processes }): Subject => ({
      name,
      run: () => loadRequests({ origin: url, requests, connections, seconds }),
      processes: () => processes,
    }),
  );
  const measured = await measure({ rounds, subjects });
  console.log(measured.table());
  return measured;
}

const fillStudents = `
  INSERT INTO courses (title, student_count) VALUES ('Course', ${students});
  INSERT INTO people SELECT n, 'First' || n, 'Last' || n, n || '@test.example', false, 1
    FROM generate_series(1, ${students}) n;
  INSERT INTO roster (course_id, user_id, is_enrolled, paid, revision, first_name, last_name, email)
    SELECT 1, user_id, true, true, 1, first_name, last_name, email FROM people;`;

async function compareServices(
  name: 'quiz' | 'courses',
  fill: string,
  requests: Requests,
  clients: Clients,
): Promise<Measurement> {
  const database = await startBenchDatabase({ durable: true });
  const postgresPort = Number(new URL(database.url(name)).port);
  const pooler = await startPgBouncer({ postgresPort, settings: { default_pool_size: poolSize } });
  const direct = await startBenchProcess(name, { database, ...clients });
  const env = { DATABASE_URL: pooler.url(database.url(name)) };
  const pooled = await startBenchProcess(name, { database, ...clients, env });
  await database.fill(name, fill);
  const measured = await compareUnderLoad(requests, [
    { name: 'direct', url: direct.url, processes: [direct.pid, database.pid] },
    { name: 'pgbouncer', url: pooled.url, processes: [pooled.pid, pooler.pid, database.pid] },
  ]);
  for (const each of [direct, pooled, pooler]) await each.stop();
  await database.stop();
  return measured;
}

async function compareReplica({ peers, tokens }: Clients): Promise<Row> {
  const servers = await startReplicatedDatabase();
  const database = servers.primary;
  const direct = await startBenchProcess('quiz', { database, peers, tokens });
  const env = { DATABASE_READ_URL: servers.replicaUrl('quiz') };
  const replicated = await startBenchProcess('quiz', { database, peers, tokens, env });
  const settings = 'SET search_path = quiz; SET session_replication_role = replica';
  await servers.primary.query(`${settings}; ${fillQuizzes(quizzes, perQuiz)}`);
  await servers.primary.query('VACUUM (ANALYZE)');
  const token = tokens.sign(1, 'admin');
  const requests = Array.from({ length: 16 }, (_, index) => ({
    path: `/api/v3/quiz/pdf-quizzes?page=${index + 1}`,
    token,
  }));
  const measured = await compareUnderLoad(requests, [
    { name: 'primary', url: direct.url, processes: [servers.primaryPid] },
    { name: 'replica', url: replicated.url, processes: [servers.primaryPid] },
  ]);
  for (const each of [direct, replicated]) await each.stop();
  await servers.close();
  return {
    name: 'replica.primary',
    work: 'CPU time of the primary for a page of the quiz list that is read from a replica',
    against: 'the page read from the primary',
    goal: { atMost: 0.15 },
    values: measured.ratios('replica', 'primary', 'cpu'),
    note: `${noteOf(measured, ['replica', 'primary'])}; both servers share this machine`,
  };
}
