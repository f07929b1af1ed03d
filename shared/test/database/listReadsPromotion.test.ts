import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countOf, openReplicaScene, type ReplicaScene } from './replicaScene.ts';

// Separate servers, because the replica is promoted.
let scene: ReplicaScene;

beforeAll(async () => {
  scene = await openReplicaScene();
});
afterAll(() => scene?.close());

test('a primary, a promoted replica and a replica on another timeline are not used', async () => {
  const fromPrimary = scene.open(scene.servers.primary.url('quiz'));
  await scene.isUsed();
  await scene.servers.promote();
  await waitFor(async () => !(await scene.isReplica()));
  const neverUsed = async () => {
    const until = (await countOf('left')) + 40;
    while ((await countOf('left')) < until) {
      await scene.writeAndReadFromPrimary();
      await scene.writeAndReadFromPrimary(fromPrimary);
    }
  };
  await neverUsed();

  // Now its position is beyond the primary's.
  await scene.servers.queryReplica('CREATE TABLE ahead AS SELECT generate_series(1, 100000) AS id');
  await scene.servers.demote();
  const position = "SELECT pg_is_in_recovery() AS is, pg_last_wal_replay_lsn() - '0/0' AS bytes";
  const end = "SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes";
  const [replica] = await scene.servers.queryReplica<{ is: boolean; bytes: string }>(position);
  const [written] = await scene.servers.primary.query<{ bytes: string }>(end);
  expect(replica?.is).toBe(true);
  expect(BigInt(replica?.bytes ?? 0)).toBeGreaterThan(BigInt(written?.bytes ?? 0));
  await neverUsed();
});
