import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdTable } from '@gradeway/test/holdTable';
import { memoryOf } from '@gradeway/test/processUsage';
import { runProgram } from '@gradeway/test/runProgram';
import { type S3Server, startS3Server } from '@gradeway/test/s3Server';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';

const program = fileURLToPath(new URL('../../backup/dist/main.js', import.meta.url));

let bucket: S3Server;
let database: TestDatabase;
let directory: string;
let identity: string;
let settings: NodeJS.ProcessEnv;
beforeEach(async () => {
  bucket = await startS3Server();
  database = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'gradeway-backup-'));
  identity = await generateIdentity();
  settings = {
    BACKUP_DATABASE_URL: superuserOf(database),
    HOMEWORK_FILES_DIR: join(directory, 'homework'),
    QUIZ_FILES_DIR: join(directory, 'quiz'),
    BACKUP_S3_BUCKET: bucket.bucket,
    BACKUP_S3_ENDPOINT: bucket.env.S3_ENDPOINT,
    BACKUP_S3_FORCE_PATH_STYLE: '1',
    BACKUP_S3_ACCESS_KEY_ID: 'S3RVER',
    BACKUP_S3_SECRET_ACCESS_KEY: 'S3RVER-secret-access-key',
    BACKUP_AGE_RECIPIENT: await identityToRecipient(identity),
  };
});
afterEach(async () => {
  await bucket.remove();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

function superuserOf(of: TestDatabase): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = new URL(of.url('quiz')).pathname;
  return url.href;
}

/** Stores a file of quiz, as the service would. */
async function storeFile(bytes: Buffer): Promise<string> {
  const key = randomUUID();
  await mkdir(join(directory, 'quiz', key.slice(0, 2)), { recursive: true });
  await writeFile(join(directory, 'quiz', key.slice(0, 2), key), bytes);
  await database.query(
    `INSERT INTO quiz.files (key, name, size, sha256, crc32, attached_at)
     VALUES ($1, 'answers of Mona.pdf', $2, $3, 0, now())`,
    [key, bytes.length, createHash('sha256').update(bytes).digest('hex')],
  );
  return key;
}

const backUp = (...options: string[]) => runProgram([program, 'backup', '--to-bucket', ...options], settings);

const read = (action: 'verify' | 'restore', name = 'latest', env: NodeJS.ProcessEnv = {}) =>
  runProgram([program, action, '--from-bucket', name], {
    ...settings,
    BACKUP_AGE_IDENTITY: identity,
    ...env,
  });

const nameIn = (output: string): string => /backups\/([\dT-]+)\n/.exec(output)?.[1] ?? '';

/** Names consist of the time in seconds. */
const nextSecond = (after: string) =>
  waitFor(() => new Date().toISOString().replaceAll(':', '-') > `${after}.999`);

test('a backup in a bucket, which nobody can read without the identity, restores every row and file', async () => {
  const bytes = Buffer.from('the answers of a student');
  const key = await storeFile(bytes);
  const backup = await backUp();
  expect(backup).toEqual({ code: 0, output: expect.stringMatching(/Backed up \d+ rows and 1 files/) });
  expect(backup.output).toContain('s3://gradeway-files/gradeway/backups/');
  for (const each of await bucket.keys()) {
    const content = (await bucket.read(each)) ?? Buffer.alloc(0);
    if (each !== 'manifest.json')
      expect(content.toString('latin1'), each).toMatch(/^age-encryption\.org\/v1\n/);
    expect(content.toString('latin1')).not.toMatch(/Mona|the answers/);
  }

  const restored = await createEmptyDatabase();
  const target = join(directory, 'restored');
  const env = { BACKUP_DATABASE_URL: superuserOf(restored), QUIZ_FILES_DIR: target };
  expect(await read('restore', 'latest', env)).toMatchObject({ code: 0 });
  const files = 'SELECT key, name, size::int, sha256 FROM quiz.files';
  expect(await restored.query(files)).toEqual(await database.query(files));
  expect(await readFile(join(target, key.slice(0, 2), key))).toEqual(bytes);
  await restored.drop();
});

test('the next backup uploads only new files, and the earlier one stays complete', async () => {
  const first = await storeFile(randomBytes(1_000));
  const earlier = nameIn((await backUp()).output);
  const uploaded = await bucket.read(`${first}.age`);
  const second = await storeFile(randomBytes(1_000));
  await nextSecond(earlier);
  expect(await backUp()).toMatchObject({ code: 0 });
  // An encryption is never the same twice.
  expect(await bucket.read(`${first}.age`)).toEqual(uploaded);
  expect(await bucket.keys()).toContain(`${second}.age`);
  for (const name of [earlier, 'latest']) expect(await read('verify', name)).toMatchObject({ code: 0 });
});

test('--keep deletes all but the newest backups', async () => {
  const earlier = nameIn((await backUp()).output);
  await nextSecond(earlier);
  const { output } = await backUp('--keep', '1');
  expect(output).toContain(`Deleted the old backup ${earlier}`);
  expect((await bucket.keys()).filter((key) => key === 'manifest.json')).toHaveLength(1);
  expect(await read('verify')).toMatchObject({ code: 0, output: expect.stringContaining(nameIn(output)) });
});

test('an interrupted backup is not the latest', async () => {
  const complete = nameIn((await backUp()).output);
  await nextSecond(complete);
  await interruptedBackup(async (kill) => kill('SIGKILL'));
  expect(await read('verify')).toMatchObject({ code: 0, output: expect.stringContaining(complete) });
});

test('a backup whose bucket goes away fails with one line, and without a complete backup there is no latest', async () => {
  const { code, output } = await interruptedBackup(() => bucket.stop());
  expect([code, output.trim().split('\n').at(-1)]).toEqual([1, expect.stringMatching(/^backup: /)]);
  await bucket.start();
  expect(await read('verify')).toEqual({ code: 1, output: 'verify: there is no complete backup\n' });
});

test('a bucket that goes away in the middle of a table does not leave the command waiting', async () => {
  await database.query(
    'CREATE TABLE quiz.large AS SELECT md5(n::text) AS value FROM generate_series(1, 3000000) n',
  );
  const backup = backUp();
  await waitFor(async () => (await database.query(copiesOf('large'))).length > 0);
  await bucket.stop();
  expect(await backup).toMatchObject({ code: 1, output: expect.stringMatching(/^backup: /m) });
  await bucket.start();
});

const copiesOf = (table: string): string =>
  `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'COPY%"${table}"%TO STDOUT'`;

test('a damaged file or table is found, and nothing is restored from it', async () => {
  const key = await storeFile(randomBytes(100_000));
  await backUp();
  const restored = await createEmptyDatabase();
  for (const object of [`${key}.age`, 'users.copy.gz.age']) {
    const intact = (await bucket.read(object)) ?? Buffer.alloc(0);
    const damaged = Buffer.from(intact);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 30) ^ 1, damaged.length - 30);
    await bucket.damage(object, damaged);
    const expected = { code: 1, output: expect.stringMatching(new RegExp(`${object} is damaged`)) };
    expect(await read('verify')).toEqual(expected);
    expect(await read('restore', 'latest', { BACKUP_DATABASE_URL: superuserOf(restored) })).toEqual(expected);
    await bucket.damage(object, intact);
  }
  expect(await restored.query("SELECT FROM pg_tables WHERE schemaname = 'quiz'")).toEqual([]);
  await restored.drop();
});

test('without the right identity a restore ends with one clear line', async () => {
  await backUp();
  const wrong = await read('verify', 'latest', { BACKUP_AGE_IDENTITY: await generateIdentity() });
  expect(wrong).toEqual({
    code: 1,
    output:
      'verify: BACKUP_AGE_IDENTITY cannot decrypt this backup: it was encrypted for another recipient\n',
  });
  const invalid = await read('verify', 'latest', { BACKUP_AGE_IDENTITY: 'AGE-SECRET-KEY-1INVALID' });
  expect(invalid).toEqual({ code: 1, output: expect.stringMatching(/^verify: BACKUP_AGE_IDENTITY is not/) });
  expect(invalid.output).not.toContain('1INVALID');
  const none = await read('verify', 'latest', { BACKUP_AGE_IDENTITY: '' });
  expect(none).toEqual({
    code: 1,
    output: expect.stringMatching(/^verify: BACKUP_AGE_IDENTITY is required/),
  });
});

test('a file larger than the memory limit is backed up and verified in bounded memory', async () => {
  const size = 320_000_000;
  await storeFile(randomBytes(size));
  expect(await peakMemory(['backup', '--to-bucket'])).toBeLessThan(size);
  expect(await peakMemory(['verify', '--from-bucket', 'latest'])).toBeLessThan(size);
});

/** The maximum resident memory of the command, which must succeed. */
async function peakMemory(parameters: string[]): Promise<number> {
  let peak = 0;
  let timer: NodeJS.Timeout | undefined;
  const env = { ...settings, BACKUP_AGE_IDENTITY: identity };
  const { code, output } = await runProgram([program, ...parameters], env, ({ pid = 0 }) => {
    timer = setInterval(() => {
      peak = Math.max(peak, memoryOf(pid).peak);
    }, 50);
  });
  clearInterval(timer);
  expect([code, output]).toEqual([0, expect.any(String)]);
  expect(peak).toBeGreaterThan(0);
  return peak;
}

/** Starts a backup, interrupts it before its last table, and lets it continue. */
async function interruptedBackup(interrupt: (kill: (signal: NodeJS.Signals) => void) => unknown) {
  const release = await holdTable(superuserOf(database), 'audit.entries');
  let kill: (signal: NodeJS.Signals) => void = () => {};
  const backup = runProgram([program, 'backup', '--to-bucket'], settings, (child) => {
    kill = (signal) => child.kill(signal);
  });
  const waiting = "SELECT FROM pg_locks WHERE relation = 'audit.entries'::regclass AND NOT granted";
  await waitFor(async () => (await database.query(waiting)).length > 0);
  await interrupt(kill);
  await release();
  return backup;
}
