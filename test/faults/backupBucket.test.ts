import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BackupScene, backupProgram, nameIn, nextSecond, superuserOf } from '@gradeway/test/backupScene';
import { holdTable } from '@gradeway/test/holdTable';
import { memoryOf } from '@gradeway/test/processUsage';
import { runProgram } from '@gradeway/test/runProgram';
import { createEmptyDatabase } from '@gradeway/test/testDatabase';
import { waitFor } from '@gradeway/test/waitFor';
import { generateIdentity } from 'age-encryption';
import { afterEach, beforeEach, expect, test } from 'vitest';

let scene: BackupScene;
beforeEach(async () => {
  scene = await BackupScene.start();
});
afterEach(() => scene.remove());

test('a backup in a bucket, which nobody can read without the identity, restores every row and file', async () => {
  const bytes = Buffer.from('the answers of a student');
  const key = await scene.storeFile(bytes);
  const backup = await scene.backUp();
  expect(backup).toEqual({ code: 0, output: expect.stringMatching(/Backed up \d+ rows and 1 files/) });
  expect(backup.output).toContain('s3://gradeway-files/gradeway/backups/');
  for (const each of await scene.bucket.keys()) {
    const content = (await scene.bucket.read(each)) ?? Buffer.alloc(0);
    if (each !== 'manifest.json')
      expect(content.toString('latin1'), each).toMatch(/^age-encryption\.org\/v1\n/);
    expect(content.toString('latin1')).not.toMatch(/Mona|the answers/);
  }

  const restored = await createEmptyDatabase();
  const target = join(scene.directory, 'restored');
  const env = { BACKUP_DATABASE_URL: superuserOf(restored), QUIZ_FILES_DIR: target };
  expect(await scene.read('restore', 'latest', env)).toMatchObject({ code: 0 });
  const files = 'SELECT key, name, size::int, sha256 FROM quiz.files';
  expect(await restored.query(files)).toEqual(await scene.database.query(files));
  expect(await readFile(join(target, key.slice(0, 2), key))).toEqual(bytes);
  await restored.drop();
});

test('the next backup uploads only new files, and the earlier one stays complete', async () => {
  const first = await scene.storeFile(randomBytes(1_000));
  const earlier = nameIn((await scene.backUp()).output);
  const uploaded = await scene.bucket.read(`${first}.age`);
  const second = await scene.storeFile(randomBytes(1_000));
  await nextSecond(earlier);
  expect(await scene.backUp()).toMatchObject({ code: 0 });
  // An encryption is never the same twice.
  expect(await scene.bucket.read(`${first}.age`)).toEqual(uploaded);
  expect(await scene.bucket.keys()).toContain(`${second}.age`);
  for (const name of [earlier, 'latest']) expect(await scene.read('verify', name)).toMatchObject({ code: 0 });
});

test('--keep deletes all but the newest backups', async () => {
  const earlier = nameIn((await scene.backUp()).output);
  await nextSecond(earlier);
  const { output } = await scene.backUp('--keep', '1');
  expect(output).toContain(`Deleted the old backup ${earlier}`);
  expect((await scene.bucket.keys()).filter((key) => key === 'manifest.json')).toHaveLength(1);
  expect(await scene.read('verify')).toMatchObject({
    code: 0,
    output: expect.stringContaining(nameIn(output)),
  });
});

test('an interrupted backup is not the latest', async () => {
  const complete = nameIn((await scene.backUp()).output);
  await nextSecond(complete);
  await interruptedBackup(async (kill) => kill('SIGKILL'));
  expect(await scene.read('verify')).toMatchObject({ code: 0, output: expect.stringContaining(complete) });
});

test('a backup whose bucket goes away fails with one line, and without a complete backup there is no latest', async () => {
  const { code, output } = await interruptedBackup(() => scene.bucket.stop());
  expect([code, output.trim().split('\n').at(-1)]).toEqual([1, expect.stringMatching(/^backup: /)]);
  await scene.bucket.start();
  expect(await scene.read('verify')).toEqual({ code: 1, output: 'verify: there is no complete backup\n' });
});

test('a bucket that goes away in the middle of a table does not leave the command waiting', async () => {
  await scene.database.query(
    'CREATE TABLE quiz.large AS SELECT md5(n::text) AS value FROM generate_series(1, 3000000) n',
  );
  const backup = scene.backUp();
  await waitFor(async () => (await scene.database.query(copiesOf('large'))).length > 0);
  await scene.bucket.stop();
  expect(await backup).toMatchObject({ code: 1, output: expect.stringMatching(/^backup: /m) });
  await scene.bucket.start();
});

const copiesOf = (table: string): string =>
  `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'COPY%"${table}"%TO STDOUT'`;

test('a damaged file or table is found, and nothing is restored from it', async () => {
  const key = await scene.storeFile(randomBytes(100_000));
  await scene.backUp();
  const restored = await createEmptyDatabase();
  for (const object of [`${key}.age`, 'users.copy.gz.age']) {
    const intact = (await scene.bucket.read(object)) ?? Buffer.alloc(0);
    const damaged = Buffer.from(intact);
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 30) ^ 1, damaged.length - 30);
    await scene.bucket.damage(object, damaged);
    const expected = { code: 1, output: expect.stringMatching(new RegExp(`${object} is damaged`)) };
    expect(await scene.read('verify')).toEqual(expected);
    expect(await scene.read('restore', 'latest', { BACKUP_DATABASE_URL: superuserOf(restored) })).toEqual(
      expected,
    );
    await scene.bucket.damage(object, intact);
  }
  expect(await restored.query("SELECT FROM pg_tables WHERE schemaname = 'quiz'")).toEqual([]);
  await restored.drop();
});

test('without the right identity a restore ends with one clear line', async () => {
  await scene.backUp();
  const wrong = await scene.read('verify', 'latest', { BACKUP_AGE_IDENTITY: await generateIdentity() });
  expect(wrong).toEqual({
    code: 1,
    output:
      'verify: BACKUP_AGE_IDENTITY cannot decrypt this backup: it was encrypted for another recipient\n',
  });
  const invalid = await scene.read('verify', 'latest', { BACKUP_AGE_IDENTITY: 'AGE-SECRET-KEY-1INVALID' });
  expect(invalid).toEqual({ code: 1, output: expect.stringMatching(/^verify: BACKUP_AGE_IDENTITY is not/) });
  expect(invalid.output).not.toContain('1INVALID');
  const none = await scene.read('verify', 'latest', { BACKUP_AGE_IDENTITY: '' });
  expect(none).toEqual({
    code: 1,
    output: expect.stringMatching(/^verify: BACKUP_AGE_IDENTITY is required/),
  });
});

test('a file larger than the memory limit is backed up and verified in bounded memory', async () => {
  const size = 320_000_000;
  await scene.storeFile(randomBytes(size));
  expect(await peakMemory(['backup', '--to-bucket'])).toBeLessThan(size);
  expect(await peakMemory(['verify', '--from-bucket', 'latest'])).toBeLessThan(size);
});

/** The maximum resident memory of the command, which must succeed. */
async function peakMemory(parameters: string[]): Promise<number> {
  let peak = 0;
  let timer: NodeJS.Timeout | undefined;
  const env = { ...scene.settings, BACKUP_AGE_IDENTITY: scene.identity };
  const { code, output } = await runProgram([backupProgram, ...parameters], env, ({ pid = 0 }) => {
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
  const release = await holdTable(superuserOf(scene.database), 'audit.entries');
  let kill: (signal: NodeJS.Signals) => void = () => {};
  const backup = runProgram([backupProgram, 'backup', '--to-bucket'], scene.settings, (child) => {
    kill = (signal) => child.kill(signal);
  });
  const waiting = "SELECT FROM pg_locks WHERE relation = 'audit.entries'::regclass AND NOT granted";
  await waitFor(async () => (await scene.database.query(waiting)).length > 0);
  await interrupt(kill);
  await release();
  return backup;
}
