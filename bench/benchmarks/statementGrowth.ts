// Compares the work of every statement in two schools, the second with ten times the rows, using PostgreSQL's plans
// for the statements as the services send them. A statement whose work grows with the tables needs an index, or
// partitions. ROWS=200000,2000000 are the sizes; PLANS=file keeps all plans.
import { writeFileSync } from 'node:fs';
import { startFakePeers } from '@gradeway/test/fakePeers';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { Client } from 'pg';
import { type BenchDatabase, startBenchDatabase } from '../support/database/benchDatabase.ts';
import type { Row } from '../support/measuring/row.ts';
import { short } from '../support/measuring/statistics.ts';
import { type BenchProcess, startBenchProcess } from '../support/processes/benchProcess.ts';
import {
  fillAuth,
  fillCourses,
  fillHomework,
  fillQuiz,
  known,
} from '../support/statementGrowth/fillSchool.ts';
import { usesOfIndexes } from '../support/statementGrowth/indexes.ts';
import { explainStatements, plansOf, type Statement } from '../support/statementGrowth/plans.ts';
import { adminOfBench, useSchool } from '../support/statementGrowth/useSchool.ts';

// Auth starts first, because courses sends imports to it.
const fills = { auth: fillAuth, courses: fillCourses, homework: fillHomework, quiz: fillQuiz } as const;
type Service = keyof typeof fills;
const services = Object.keys(fills) as Service[];

const sizes = (process.env.ROWS ?? '200000,2000000').split(',').map(Number);
// Retention is enabled, and begins when they start.
const environment = {
  ...{ RETENTION_REPLACED_FILES: '365d', RETENTION_FINISHED_COURSES: '365d', RETENTION_AUDIT_LOG: '365d' },
  ...{ ADMIN_EMAIL: adminOfBench.email, ADMIN_PASSWORD: adminOfBench.password, LOG_LEVEL: 'warn' },
  DEVICE_SINGLE_ACCOUNT: '1',
};
// A statement that touches at most this many blocks may touch twice as many in the larger school, because an index
// has one more level.
const fewBlocks = 50;

export async function run(): Promise<Row[]> {
  const names = sizes.map((size) => `rows${size}`);
  const database = await startBenchDatabase({ databases: names });
  const found: Map<string, Statement>[] = [];
  for (const [index, size] of sizes.entries()) {
    const statements = await plansOfSchool(database, names[index] ?? '', size);
    found.push(new Map(statements.map((each) => [each.statement, each])));
  }
  await database.stop();
  return rowsOf(found);
}

async function plansOfSchool(
  database: BenchDatabase,
  databaseName: string,
  size: number,
): Promise<Statement[]> {
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const surroundings = { database, databaseName, peers, tokens };
  // The first start creates the tables.
  for (const service of services) await (await startBenchProcess(service, surroundings)).stop();
  for (const service of services) {
    console.log(`${service}: ${size} rows`);
    await database.fill(service, fills[service](size), databaseName);
  }
  const count = Math.ceil(size / 2_000);
  for (let courseId = 1; courseId <= count; courseId += 1)
    if (courseId !== known.finishedCourse) peers.courses.push({ courseId, title: 'A course', revision: 1 });
  peers.enrollments.set(`${known.student}/${known.course}`, { paid: true });
  console.log(await sizesOf(database, databaseName, size));
  peers.classes.push({ classId: 7, courseId: known.course, title: 'A class', createdAt: null, revision: 1 });
  await explainStatements(database, services);
  const statements = await plansOf(database, async () => {
    const running = {} as Record<Service, BenchProcess>;
    for (const service of services) {
      const ofCourses = { ...peers, authGrpc: running.auth?.grpcAddress };
      const settings = {
        ...surroundings,
        peers: service === 'courses' ? ofCourses : peers,
        env: environment,
      };
      running[service] = await startBenchProcess(service, settings);
    }
    await useSchool(running, tokens, (service) => database.url(service, databaseName));
    for (const service of services) await running[service].stop();
  });
  await Promise.all([peers.close(), tokens.close()]);
  if (size === sizes.at(-1)) console.log(await tableOfIndexes(database.adminUrl(databaseName), statements));
  return statements;
}

async function tableOfIndexes(url: string, statements: Statement[]): Promise<string> {
  const { uses, unused } = await usesOfIndexes(url, services, statements);
  const lines = uses.map(
    ({ schema, index, cost, costWithout, statement }) =>
      `  ${`${schema}.${index}`.padEnd(40)} cost ${short(cost)}, without it ${short(costWithout)}  ${statement.slice(0, 150)}`,
  );
  const others = unused.map(({ schema, index }) => `${schema}.${index}`).join(', ');
  return [...lines, `  read by no statement of this benchmark: ${others}`].join('\n');
}

// The average size of a row of each large table, with its indexes.
async function sizesOf(database: BenchDatabase, databaseName: string, size: number): Promise<string> {
  const client = new Client({ connectionString: database.adminUrl(databaseName) });
  await client.connect();
  const { rows } = await client.query<{ name: string; bytes: number; indexes: number; rows: number }>(
    `SELECT n.nspname || '.' || c.relname AS name, pg_total_relation_size(c.oid)::float8 AS bytes,
       pg_indexes_size(c.oid)::float8 AS indexes, c.reltuples AS rows
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND c.reltuples > $1::float8 / 20 AND n.nspname !~ '^pg_' ORDER BY 2 DESC`,
    [size],
  );
  await client.end();
  const lines = rows.map(
    ({ name, bytes, indexes, rows: count }) =>
      `  ${name.padEnd(28)} ${short(bytes / count)} bytes a row, ${short(indexes / count)} of them indexes, ${count} rows`,
  );
  return lines.join('\n');
}

// A statement that returns or deletes ten times as many rows may touch ten times as many blocks.
const growthOf = (before: Statement, after: Statement): number =>
  after.blocks / Math.max(before.blocks, fewBlocks) / Math.max(1, after.rows / Math.max(1, before.rows));

function rowsOf([small, large]: Map<string, Statement>[]): Row[] {
  if (!small || !large) throw new Error('two sizes are needed');
  const pairs = [...large.values()].flatMap((each) => {
    const before = small.get(each.statement);
    return before ? [{ before, each, growth: growthOf(before, each) }] : [];
  });
  pairs.sort((a, b) => b.growth - a.growth);
  for (const { before, each, growth } of pairs.slice(0, 25))
    console.log(
      `${short(growth).padStart(6)}  blocks ${before.blocks} → ${each.blocks}  ms ${short(before.ms)} → ${short(each.ms)}  ${each.statement.slice(0, 150)}`,
    );
  if (process.env.PLANS)
    writeFileSync(
      process.env.PLANS,
      pairs
        .map(
          ({ before, each }) =>
            `## ${each.statement}\n${before.times}, ${each.times} times\n\n${before.plan}\n\n${each.plan}\n`,
        )
        .join('\n'),
    );
  const worst = pairs[0];
  if (!worst) throw new Error('no statement was executed in both schools');
  return [
    {
      name: 'growth.statements',
      work: `blocks that a statement touches with ${sizes[1]} rows in every table that grows, the worst of ${pairs.length} statements`,
      against: `${sizes[0]} rows`,
      goal: { atMost: 2 },
      values: [worst.growth],
      note: `${worst.each.statement.slice(0, 80)}: ${worst.before.blocks} and ${worst.each.blocks} blocks`,
    },
  ];
}
