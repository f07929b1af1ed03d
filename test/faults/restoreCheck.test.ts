import { randomBytes } from 'node:crypto';
import { BackupScene, superuserOf } from '@gradeway/test/backupScene';
import { createEmptyDatabase, type TestDatabase } from '@gradeway/test/testDatabase';
import { generateIdentity } from 'age-encryption';
import { afterEach, beforeEach, expect, test } from 'vitest';

let scene: BackupScene;
let template: TestDatabase;
beforeEach(async () => {
  scene = await BackupScene.start();
  template = await createEmptyDatabase();
});
afterEach(async () => {
  await scene.remove();
  await template.drop();
});

const check = (env: NodeJS.ProcessEnv = {}) =>
  scene.read('check-restore', 'latest', { BACKUP_CHECK_DATABASE_URL: superuserOf(template), ...env });

const resultOf = async (which: 'last' | 'succeeded') => {
  const content = await scene.bucket.read(`${which}.json`);
  return content && JSON.parse(content.toString());
};

const scratchDatabases = () =>
  scene.database.query("SELECT FROM pg_database WHERE datname = 'gradeway_restore_check'");

const [lastSuccess, failed] = [
  'gradeway_restore_check_last_success_timestamp_seconds',
  'gradeway_restore_check_failed',
];

test('a check restores the latest backup, records what it restored, and leaves no database', async () => {
  await scene.storeFile(randomBytes(5_000));
  await scene.backUp();
  const { code, output } = await check();
  expect([code, output]).toEqual([0, expect.stringMatching(/Restored and compared \d+ rows and 1 files/)]);
  expect(await scratchDatabases()).toEqual([]);

  const result = await resultOf('last');
  expect(result).toMatchObject({ ok: true, restored: { files: 1, bytes: 5_000 } });
  expect(await resultOf('succeeded')).toEqual(result);
  const metrics = await (await scene.startMetrics()).read();
  expect(metrics.value(lastSuccess)).toBe(Date.parse(result.finishedAt) / 1_000);
  expect(metrics.value(failed)).toBe(0);
});

test('a check finds a damaged file, keeps the time of the last success, and leaves no database', async () => {
  const key = await scene.storeFile(randomBytes(100_000));
  await scene.backUp();
  await check();
  const succeeded = await resultOf('succeeded');
  const damaged = Buffer.from((await scene.bucket.read(`${key}.age`)) ?? '');
  damaged.writeUInt8(damaged.readUInt8(damaged.length - 30) ^ 1, damaged.length - 30);
  await scene.bucket.damage(`${key}.age`, damaged);

  const { code, output } = await check();
  expect([code, output]).toEqual([1, expect.stringMatching(new RegExp(`^check-restore: .*${key}`, 'm'))]);
  expect(await scratchDatabases()).toEqual([]);
  expect(await resultOf('last')).toEqual({
    backup: succeeded.backup,
    finishedAt: expect.any(String),
    ok: false,
  });
  const metrics = await (await scene.startMetrics()).read();
  expect(metrics.value(failed)).toBe(1);
  expect(metrics.value(lastSuccess)).toBe(Date.parse(succeeded.finishedAt) / 1_000);
});

test('a check drops the database that a killed check left', async () => {
  await scene.backUp();
  await scene.database.query('CREATE DATABASE gradeway_restore_check');
  expect(await check()).toMatchObject({ code: 0 });
  expect(await scratchDatabases()).toEqual([]);
});

test('a check without the right identity, a backup or an empty database fails', async () => {
  expect(await check()).toEqual({ code: 1, output: 'check-restore: there is no complete backup\n' });
  await scene.backUp();
  expect(await check({ BACKUP_AGE_IDENTITY: await generateIdentity() })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/encrypted for another recipient/),
  });
  await template.query('CREATE TABLE quiz.files ()');
  // PostgreSQL copies a database only while nobody else is connected to it.
  await scene.database.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
    new URL(superuserOf(template)).pathname.slice(1),
  ]);
  expect(await check()).toMatchObject({ code: 1, output: expect.stringMatching(/schema quiz has data/) });
  expect(await resultOf('last')).toMatchObject({ ok: false });
  expect(await scratchDatabases()).toEqual([]);
});

test('a check needs a database of its own', async () => {
  expect(await check({ BACKUP_CHECK_DATABASE_URL: '' })).toEqual({
    code: 1,
    output: 'check-restore: BACKUP_CHECK_DATABASE_URL is required for a restore check\n',
  });
});
