import { startDatabaseProxy } from '@gradeway/test/databaseProxy';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countOf, neverBehind, openReplicaScene, type ReplicaScene } from './replicaScene.ts';

let scene: ReplicaScene;

beforeAll(async () => {
  scene = await openReplicaScene();
});
afterAll(() => scene?.close());

test('lists are read from the replica, and each contains every change that was written before', async () => {
  await scene.isUsed();
  const before = await countOf('replica');
  const missing: number[] = [];
  const writeAndRead = async () => {
    for (let turn = 0; turn < 50; turn += 1) {
      const id = await scene.write();
      if (!(await scene.read()).ids.includes(id)) missing.push(id);
    }
  };
  await Promise.all(Array.from({ length: 5 }, writeAndRead));
  expect(missing).toEqual([]);
  await scene.isUsed();
  expect(await countOf('replica')).toBeGreaterThan(before);
});

test('lists come from the primary while the replica replays nothing, and from the replica afterwards', async () => {
  await scene.isUsed();
  await scene.servers.pauseReplay();
  const before = await countOf('behind');
  for (let turn = 0; turn < 5; turn += 1) await scene.writeAndReadFromPrimary();
  expect(await countOf('behind')).toBe(before + 5);
  await scene.servers.resumeReplay();
  await scene.isUsed();
  expect((await scene.read()).ids).toContain(scene.lastId);
});

test('a query that the replica cancels because of a recovery conflict is repeated on the primary', async () => {
  await scene.servers.queryReplica('ALTER SYSTEM SET max_standby_streaming_delay = 0');
  await scene.servers.queryReplica('SELECT pg_reload_conf()');
  await scene.primary.query('CREATE TABLE drafts AS SELECT generate_series(1, 10) AS id');
  const waiting = scene.open(scene.servers.replicaUrl('quiz'), neverBehind);
  await scene.isUsed(waiting);
  const before = { conflict: await countOf('conflict'), failed: await countOf('failed') };
  const slowly = `
    SELECT count(*)::integer AS count FROM drafts,
      (SELECT pg_sleep(CASE WHEN pg_is_in_recovery() THEN 600 ELSE 0 END)) AS pause`;
  const reading = waiting.read(async (select) => {
    await select({ name: 'no timeout', sql: "SELECT set_config('statement_timeout', '0', true)" });
    return select<{ count: number }>({ name: 'drafts', sql: slowly });
  });
  const sleeping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
  await waitFor(async () => (await scene.servers.queryReplica(sleeping)).length === 1);
  await scene.primary.query('TRUNCATE drafts');
  expect(await reading).toEqual([{ count: 0 }]);
  expect(await countOf('conflict')).toBe(before.conflict + 1);
  expect(await countOf('failed')).toBe(before.failed);
  await scene.isUsed();
});

test('the replica is used while a transaction has written half a page of the log', async () => {
  const transaction = await scene.primary.transaction();
  await scene.primary.query('INSERT INTO notes SELECT generate_series(100001, 102000)', { transaction });
  const isHalf = `
    SELECT 1 WHERE pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn()
      AND mod(pg_current_wal_flush_lsn() - '0/0', current_setting('wal_block_size')::numeric) = 0`;
  await waitFor(async () => (await scene.servers.primary.query(isHalf)).length === 1);
  await scene.isUsed();
  await transaction.rollback();
});

test('a list comes from the primary if the replica does not respond in time', async () => {
  const impatient = scene.open(scene.servers.replicaUrl('quiz'), { ...neverBehind, limitMs: 2_000 });
  await scene.isUsed(impatient);
  const before = await countOf('failed');
  const text = 'SELECT 1 AS one FROM pg_sleep(CASE WHEN pg_is_in_recovery() THEN 600 ELSE 0 END)';
  expect(await impatient.read((select) => select({ name: 'slow', sql: text }))).toEqual([{ one: 1 }]);
  expect(await countOf('failed')).toBe(before + 1);
  await scene.isUsed(impatient);
});

test('killing the replica fails no list request, and the replica is used again once it is back', async () => {
  await scene.isUsed();
  let isOver = false;
  let count = 0;
  const repeat = async () => {
    for (; !isOver; count += 1) {
      const id = await scene.write();
      expect((await scene.read()).ids).toContain(id);
    }
  };
  const readers = Promise.all(Array.from({ length: 4 }, repeat));
  await scene.servers.killReplica();
  const before = { count, left: await countOf('left') };
  await waitFor(async () => (await countOf('left')) > before.left && count > before.count + 20);
  isOver = true;
  await readers;
  await scene.servers.startReplica();
  await scene.isUsed();
});

test('a replica that is unreachable at startup is used as soon as it is reachable', async () => {
  const proxy = await startDatabaseProxy(scene.servers.replicaUrl('quiz'));
  scene.onClose(() => proxy.close());
  proxy.refuse();
  const late = scene.open(proxy.url);
  const before = await countOf('left');
  await scene.expectPrimary(late);
  expect(await countOf('left')).toBe(before + 1);
  await proxy.restore();
  await scene.isUsed(late);
});

test('lists come from the primary without a replica, and no replica read is counted', async () => {
  const before = await countOf('left');
  await scene.expectPrimary(scene.open(undefined));
  expect(await countOf('left')).toBe(before);
});
