// Compares pages of the quiz list and of the homework list (15 items, 600 submissions) with the same SQL in pgbench,
// with requests through the gateway, with a hundredth of the rows, with the last page, and with Sequelize's include.
import { startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { startServer } from '../support/baselines/startServer.ts';
import { type BenchDatabase, startBenchDatabase } from '../support/database/benchDatabase.ts';
import { fillHomeworks, fillQuizzes } from '../support/database/fillLists.ts';
import { runPgbench, scriptOf } from '../support/database/pgbench.ts';
import { loadRequests } from '../support/load/loadRequests.ts';
import { type Measurement, measure, type Subject } from '../support/measuring/measure.ts';
import type { Row } from '../support/measuring/row.ts';
import { short } from '../support/measuring/statistics.ts';
import { type BenchProcess, startBenchProcess } from '../support/processes/benchProcess.ts';

const [perItem, perPage, connections, seconds, rounds] = [40, 15, 16, 4, 7];
// A million submissions, and a hundredth of that.
const items = { bench: 25_000, small: 250 };
// The pages that exist in the small database, read from both.
const pages = Array.from({ length: Math.floor(items.small / perPage) }, (_, page) => page + 1);
const lastPages = pages.map((page) => Math.floor(items.bench / perPage) - pages.length + page);

const lists = {
  quiz: { path: '/api/v3/quiz/pdf-quizzes', fill: fillQuizzes },
  homework: { path: '/api/v3/admin/homeworks', fill: fillHomeworks },
} as const;

export async function run(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of ['quiz', 'homework'] as const) rows.push(...(await compare(name)));
  return rows;
}

async function compare(name: keyof typeof lists): Promise<Row[]> {
  const { path, fill } = lists[name];
  const database = await startBenchDatabase({ databases: ['bench', 'small'] });
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const token = tokens.sign(1, 'admin');
  const surroundings = { database, peers, tokens };
  const service = await startBenchProcess(name, surroundings);
  const small = await startBenchProcess(name, { ...surroundings, databaseName: 'small' });
  for (const [databaseName, count] of Object.entries(items))
    await database.fill(name, fill(count, perItem), databaseName);
  const env = { [`${name.toUpperCase()}_URL`]: service.url, RATE_LIMIT_PER_MINUTE: '0' };
  const gateway = await startBenchProcess('gateway', { ...surroundings, env });
  const peer =
    name === 'quiz'
      ? await startServer('sequelizeInclude.ts', { DATABASE_URL: database.url('quiz') })
      : undefined;

  const load = (origin: string, list: string = path, numbers = pages) =>
    loadRequests({
      origin,
      connections,
      seconds,
      requests: numbers.map((page) => ({ path: `${list}?page=${page}`, token })),
    });
  const subject = (
    key: string,
    processes: number[],
    work: () => Promise<Record<string, number>>,
  ): Subject => ({
    name: key,
    run: work,
    processes: () => [...processes, database.pid],
  });
  const scripts = await scriptsOf(database, name, service, path, token);
  const pgbench = () => runPgbench({ databaseUrl: database.url(name), scripts, connections, seconds });
  const measured = await measure({
    rounds,
    subjects: [
      subject('pgbench', [], pgbench),
      subject('service', [service.pid], () => load(service.url)),
      subject('gateway', [service.pid, gateway.pid], () => load(gateway.url)),
      subject('small', [small.pid], () => load(small.url)),
      subject('last page', [service.pid], () => load(service.url, path, lastPages)),
      ...(peer ? [subject('Sequelize', [peer.pid], () => load(peer.url, '/quizzes'))] : []),
    ],
  });
  console.log(measured.table());
  for (const each of [service, small, gateway, peer]) await each?.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();
  return rowsOf(name, measured, peer !== undefined);
}

const attempts = 5;

// One script per page, with the statements of that page. A statement from the service's background work, such as the
// outbox relay's poll every five seconds, makes the counts differ between pages; the pages are then requested again.
async function scriptsOf(
  database: BenchDatabase,
  schema: 'quiz' | 'homework',
  { url }: BenchProcess,
  path: string,
  token: string,
): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const statements = await database.statementsOf(schema, async () => {
      for (const page of pages) await (await fetch(`${url}${path}?page=${page}`, { headers })).arrayBuffer();
    });
    const each = statements.length / pages.length;
    if (Number.isInteger(each))
      return pages.map((_, index) => scriptOf(statements.slice(index * each, (index + 1) * each)));
  }
  throw new Error(`${pages.length} pages never took the same number of statements each`);
}

function rowsOf(name: string, measured: Measurement, hasPeer: boolean): Row[] {
  const work = `${name} list, ${perPage} a page, ${perPage * perItem} submissions, 1 million stored`;
  const row = (key: string, against: string, atLeast: number, [subject, other]: [string, string]): Row => {
    const figures = [subject, other].map((each) => `${each} ${short(measured.median(each, 'rate'))}`);
    const cpu = [subject, other].map((each) => short(measured.median(each, 'cpu')));
    return {
      name: `lists.${name}.${key}`,
      work: `${work}: pages a second`,
      against,
      goal: { atLeast },
      values: measured.ratios(subject, other, 'rate'),
      note: `pages/s: ${figures.join(', ')}; CPU per page: ${cpu.join(' and ')} µs`,
    };
  };
  return [
    row('service', 'pgbench, the same SQL alone', 0.55, ['service', 'pgbench']),
    row('gateway', 'pgbench, the same SQL alone', 0.45, ['gateway', 'pgbench']),
    row('growth', 'a hundredth of the rows', 0.9, ['service', 'small']),
    row('lastPage', 'the first pages', 0.5, ['last page', 'service']),
    ...(hasPeer ? [row('include', "Sequelize's include", 5, ['service', 'Sequelize'])] : []),
  ];
}
