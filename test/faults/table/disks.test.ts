import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { childrenOf } from '@gradeway/test/processUsage';
import { afterAll, beforeAll, test } from 'vitest';
import { runFault } from './faultRow.ts';
import { openSchool, type School } from './school.ts';
import { type SmallDisk, smallDisk } from './smallDisk.ts';
import { inspectLocalSystem } from './system.ts';

const on = 'embedded broker';
const fullMs = 8_000;

let system: LocalSystem;
let school: School;
let store: SmallDisk;
let database: SmallDisk;
beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-disks-'));
  store = smallDisk(join(directory, 'files'), 64);
  database = smallDisk(join(directory, 'postgres'), 500);
  await store.mount();
  await database.mount();
  const limits = { RATE_LIMIT_PER_MINUTE: '0', LOGIN_LIMIT_PER_ADDRESS: '0' };
  system = await startLocalSystem({ ...limits, DATA_DIR: directory });
  school = await openSchool(inspectLocalSystem(system));
});
afterAll(async () => {
  await system?.stop();
  store?.unmount();
  database?.unmount();
  await system?.remove();
});

const pidOf = async (name: Parameters<LocalSystem['process']>[0]) => (await system.process(name)).pid;

test('when the disk of the store fills up under load, nothing acknowledged is lost and nothing refused is left behind', async () => {
  const pids = [await pidOf('quiz'), await pidOf('homework')];
  await runFault(school, {
    on,
    name: `disk of the store full (${store.method})`,
    make: async () => {
      await store.fill(pids);
      await sleep(fullMs);
      await store.empty(pids);
    },
  });
});

test('nothing acknowledged is lost when the disk of PostgreSQL fills up under load', async () => {
  await runFault(school, {
    on,
    name: `disk of Postgres full (${database.method})`,
    make: async () => {
      const server = await pidOf('postgres');
      const pids = [server, ...childrenOf(server, 'postgres')];
      await database.fill(pids);
      await sleep(fullMs);
      await database.empty(pids.filter((pid) => isRunning(pid)));
    },
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
