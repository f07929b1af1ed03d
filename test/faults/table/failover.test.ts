import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseProxy, startDatabaseProxy } from '@gradeway/test/databaseProxy';
import { type ReplicatedDatabase, startReplicatedDatabase } from '@gradeway/test/replicatedDatabase';
import { createEmptyDatabase } from '@gradeway/test/testDatabase';
import { afterEach, beforeEach, test } from 'vitest';
import { runFault } from './faultRow.ts';
import { type ReplicatedSystem, startReplicatedSystem } from './replicas.ts';
import { openSchool, type School } from './school.ts';

const on = 'PostgreSQL with a synchronous replica';

// The proxies are the Services `-rw` and `-ro` of CloudNativePG (k8s/platform/postgres-ha).
let servers: ReplicatedDatabase;
let readWrite: DatabaseProxy;
let readOnly: DatabaseProxy;
let system: ReplicatedSystem;
let school: School;
// A failover cannot be undone: each test has its own servers.
beforeEach(async () => {
  servers = await startReplicatedDatabase();
  await servers.commitOnBoth();
  readWrite = await startDatabaseProxy(servers.primaryAdminUrl);
  readOnly = await startDatabaseProxy(servers.replicaAdminUrl);
  const database = await createEmptyDatabase(readWrite.url);
  system = await startReplicatedSystem({
    database,
    envOf(name): Record<string, string> {
      if (name === 'gateway') return {};
      const url = new URL(database.url(name));
      url.port = new URL(readOnly.url).port;
      return { DATABASE_READ_URL: url.href };
    },
  });
  school = await openSchool(system);
});
afterEach(async () => {
  await system?.close();
  readWrite?.close();
  readOnly?.close();
  await servers?.close();
});

/** What the operator does once it knows that the primary is gone. */
async function failOver(): Promise<void> {
  await servers.promote();
  readWrite.switchTo(servers.replicaAdminUrl);
  readOnly.refuse();
}

// The recovery is counted from the end of the primary, and includes the promotion of the replica.
test('nothing acknowledged is lost when the primary is killed with SIGKILL under load and the replica is promoted', async () => {
  let promoted: Promise<void> | undefined;
  await runFault(school, {
    on,
    name: 'kill -9 of the primary, failover',
    make: async () => {
      servers.signalPrimary('SIGKILL');
      promoted = failOver();
    },
    afterwards: async () => promoted,
  });
});

test('nothing acknowledged is lost when the primary stops answering under load and the replica is promoted', async () => {
  let promoted: Promise<void> | undefined;
  await runFault(school, {
    on,
    name: 'SIGSTOP of the primary, failover',
    make: async () => {
      servers.signalPrimary('SIGSTOP');
      promoted = failOver();
    },
    afterwards: async () => {
      await promoted;
      servers.signalPrimary('SIGKILL');
    },
  });
});

test('nothing acknowledged is lost in a planned switchover under load', async () => {
  await runFault(school, {
    on,
    name: 'planned switchover',
    make: async () => {
      await servers.stopPrimary();
      await failOver();
    },
  });
});

test('nothing is acknowledged while the synchronous replica is away, and nothing acknowledged is lost', async () => {
  await runFault(school, {
    on,
    name: 'synchronous replica gone for 10 s',
    make: async () => {
      await servers.killReplica();
      await sleep(10_000);
      await servers.startReplica();
    },
  });
});
