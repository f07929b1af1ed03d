import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type Postgres,
  type PostgresOptions,
  startPostgres,
  superuserUrl,
} from '@gradeway/local/embeddedPostgres';
import { freePort } from '@gradeway/local/ports';
import { copyDataDirectory } from '@gradeway/test/copyDataDirectory';
import { Fixtures } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { runProgram } from '@gradeway/test/runProgram';
import { waitFor } from '@gradeway/test/waitFor';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../backup/dist/main.js', import.meta.url));

let temporary: string;
let archive: string;
let options: PostgresOptions;
let server: Postgres;
let system: LocalSystem;
beforeAll(async () => {
  temporary = await mkdtemp(join(tmpdir(), 'gradeway-recovery-'));
  archive = join(temporary, 'archive');
  await mkdir(archive);
  // PostgreSQL may run as another user.
  for (const path of [temporary, archive]) await chmod(path, 0o777);
  options = {
    directory: join(temporary, 'lost'),
    port: await freePort(),
    password: randomBytes(12).toString('hex'),
    logFile: join(temporary, 'postgres.log'),
  };
  server = await startPostgres(options);
  await query("ALTER SYSTEM SET archive_mode = 'on'");
  await query(`ALTER SYSTEM SET archive_command = 'cp %p ${archive}/%f'`);
  await server.stop();
  server = await startPostgres(options);
  system = await startLocalSystem({
    DATABASE_URL: superuserUrl(options, 'gradeway'),
    RATE_LIMIT_PER_MINUTE: '0',
  });
}, 300_000);
afterAll(async () => {
  await system?.remove();
  await server?.stop();
  await rm(temporary, { recursive: true, force: true });
});

test('a recovery to a point in time has what was acknowledged before it, and nothing from after it', {
  timeout: 300_000,
}, async () => {
  const recovered = { ...options, directory: join(temporary, 'recovered') };
  await copyDataDirectory(superuserUrl(options), options, recovered);
  const fixtures = new Fixtures(system);
  const before = await fixtures.newScene();
  const file = await pdf('answers.pdf', { lines: ['before the loss'] });
  expect((await fixtures.submitQuiz(before, { file })).status).toBe(200);
  const [{ time }] = await query<{ time: string }>('SELECT clock_timestamp()::text AS time');
  const after = await fixtures.newScene();
  expect((await fixtures.submitQuiz(after)).status).toBe(200);
  const [{ id: lostId }] = await fixtures.quizSubmissions(after.quizId);
  await archiveEverything();
  await system.stop();
  process.kill(server.pid, 'SIGKILL');
  await server.exited;

  await recover(recovered, time);
  const prepared = await runProgram([program, 'prepare-recovered'], {
    BACKUP_DATABASE_URL: superuserUrl(options, 'gradeway'),
    ERASURE_LIST: join(system.directory, 'erasures.jsonl'),
  });
  expect(prepared).toEqual({ code: 0, output: expect.stringContaining('Prepared') });
  await system.start();

  const again = new Fixtures(system);
  expect((await again.callAs(before.student.token).get('/api/v3/me')).status).toBe(401);
  const { email, password } = before.student;
  expect((await again.logIn(email, password)).status).toBe(200);
  const [submission] = await again.quizSubmissions(before.quizId);
  const bytes = Buffer.from(await (await fetch(submission.pdf_answer_url)).arrayBuffer());
  expect(bytes.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
  expect((await again.logIn(after.student.email, after.student.password)).status).toBe(401);

  const next = await again.newScene();
  expect((await again.submitQuiz(next)).status).toBe(200);
  const [{ id: nextId }] = await again.quizSubmissions(next.quizId);
  expect(nextId).toBeGreaterThan(lostId);
  expect(next.student.id).toBeGreaterThan(after.student.id);
});

/** Waits until the archive has everything that was committed so far. */
async function archiveEverything(): Promise<void> {
  const [{ segment }] = await query<{ segment: string }>(
    'SELECT pg_walfile_name(pg_switch_wal()) AS segment',
  );
  const isArchived = `SELECT FROM pg_stat_archiver WHERE last_archived_wal >= '${segment}'`;
  await waitFor(async () => (await query(isArchived)).length > 0);
}

/** Starts a server that replays the archive up to a time, and then accepts writes. */
async function recover(to: PostgresOptions, time: string): Promise<void> {
  const settings = {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: time,
    recovery_target_action: 'promote',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await writeFile(join(to.directory, 'postgresql.auto.conf'), lines.join(''));
  await writeFile(join(to.directory, 'recovery.signal'), '');
  // What the lost server had not archived is lost as well.
  await rm(join(to.directory, 'pg_wal'), { recursive: true });
  await mkdir(join(to.directory, 'pg_wal'), { mode: 0o777 });
  await chmod(join(to.directory, 'pg_wal'), 0o777);
  server = await startPostgres(to);
  await waitFor(async () => (await query('SELECT WHERE NOT pg_is_in_recovery()')).length > 0);
}

async function query<Row extends object>(sql: string): Promise<[Row, ...Row[]]> {
  const client = new Client({ connectionString: superuserUrl(options) });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows as [Row, ...Row[]];
  } finally {
    await client.end();
  }
}
