import { afterAll, beforeAll, expect, test } from 'vitest';
import { runFault } from './faultRow.ts';
import { names, type ReplicatedSystem, startReplicatedSystem } from './replicas.ts';
import { openSchool, type School } from './school.ts';

const on = 'two replicas';

let system: ReplicatedSystem;
let school: School;
beforeAll(async () => {
  system = await startReplicatedSystem();
  school = await openSchool(system);
});
afterAll(() => system?.close());

test('no request fails while gateway and auth are replaced under load', async () => {
  const { answers } = await runFault(school, {
    on,
    name: 'gateway and auth replaced',
    make: async () => {
      await system.replaceAll('gateway');
      await system.replaceAll('auth');
    },
  });
  expect(Object.keys(answers).toSorted()).toEqual(['200', '201']);
});

test('nothing acknowledged is lost when one of two replicas of every service is killed with SIGKILL under load', async () => {
  await runFault(school, {
    on,
    name: 'kill -9 of one replica of each',
    make: async () => {
      for (const name of names) system.killOne(name);
    },
  });
});
