import { randomBytes } from 'node:crypto';
import { BackupScene, nameIn, nextSecond } from '@gradeway/test/backupScene';
import { afterEach, beforeEach, expect, test } from 'vitest';

let scene: BackupScene;
let metrics: Awaited<ReturnType<BackupScene['startMetrics']>>;
beforeEach(async () => {
  scene = await BackupScene.start();
  metrics = await scene.startMetrics();
});
afterEach(() => scene.remove());

const names = [
  'gradeway_backup_last_success_timestamp_seconds',
  'gradeway_backup_size_bytes',
  'gradeway_backup_previous_size_bytes',
  'gradeway_restore_check_last_success_timestamp_seconds',
  'gradeway_restore_check_failed',
];
const [lastSuccess = '', size = '', previousSize = '', , checkFailed = ''] = names;
const errors = 'gradeway_backup_bucket_errors_total';

const finishedAt = async (): Promise<number> => {
  const manifest = JSON.parse(String(await scene.bucket.read('manifest.json')));
  return Date.parse(manifest.finishedAt) / 1_000;
};

test('without a backup the time of the last one is 0, and there is no size', async () => {
  const found = await metrics.read();
  expect(names.map((name) => found.value(name))).toEqual([0, undefined, undefined, 0, 0]);
});

test('the newest complete backup has a time and sizes, and the one before has sizes', async () => {
  await scene.storeFile(randomBytes(4_000));
  const { output } = await scene.backUp();
  const first = await metrics.read();
  expect(first.value(lastSuccess)).toBe(await finishedAt());
  expect(first.value(size, { part: 'files' })).toBe(4_000);
  const database = first.value(size, { part: 'database' });
  expect(database).toBeGreaterThan(1_000);
  expect(first.find(previousSize)).toEqual([]);

  await scene.storeFile(randomBytes(2_000));
  await nextSecond(nameIn(output));
  await scene.backUp();
  const second = await metrics.read();
  expect(second.value(lastSuccess)).toBeGreaterThan(first.value(lastSuccess) ?? 0);
  expect(second.value(size, { part: 'files' })).toBe(6_000);
  expect(second.value(previousSize, { part: 'files' })).toBe(4_000);
  expect(second.value(previousSize, { part: 'database' })).toBe(database);
});

test('a backup with a damaged manifest does not count, and the next one does', async () => {
  const { output } = await scene.backUp();
  await scene.bucket.damage('manifest.json', Buffer.from('{"format": 1, "sta'));
  expect((await metrics.read()).value(lastSuccess)).toBe(0);

  await nextSecond(nameIn(output));
  const startedAt = Date.now() / 1_000;
  await scene.backUp();
  const found = await metrics.read();
  expect(found.value(lastSuccess)).toBeGreaterThan(startedAt);
  expect(found.find(previousSize)).toEqual([]);
});

test('while the bucket is away there are errors instead of values; afterwards the values are back', async () => {
  await scene.backUp();
  const before = (await metrics.read()).value(lastSuccess);
  expect(before).toBeGreaterThan(0);
  await scene.bucket.stop();
  const away = await metrics.when((found) => (found.value(errors) ?? 0) > 0);
  expect(names.map((name) => away.value(name))).toEqual(names.map(() => undefined));
  expect(away.value('gradeway_check_ok', { check: 'start', process: 'backup' })).toBe(1);

  await scene.bucket.start();
  expect((await metrics.read()).value(lastSuccess)).toBe(before);
});

test('a damaged result of a restore check is an error, not a success', async () => {
  await scene.backUp();
  expect(
    await scene.read('check-restore', 'latest', { BACKUP_CHECK_DATABASE_URL: 'postgres://127.0.0.1:1/x' }),
  ).toMatchObject({ code: 1 });
  expect((await metrics.read()).value(checkFailed)).toBe(1);
  await scene.bucket.damage('last.json', Buffer.from('{}'));
  const found = await metrics.when((each) => (each.value(errors) ?? 0) > 0);
  expect([found.value(checkFailed), found.value(lastSuccess)]).toEqual([undefined, undefined]);
});
