import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { afterAll, beforeAll, test } from 'vitest';
import { runFault } from './faultRow.ts';
import { openSchool, type School } from './school.ts';
import { pause } from './signals.ts';
import { inspectLocalSystem } from './system.ts';

const on = 'embedded broker';
const processes = ['gateway', 'auth', 'courses', 'homework', 'quiz', 'postgres'] as const;

let system: LocalSystem;
let school: School;
beforeAll(async () => {
  system = await startLocalSystem({ RATE_LIMIT_PER_MINUTE: '0', LOGIN_LIMIT_PER_ADDRESS: '0' });
  school = await openSchool(inspectLocalSystem(system));
});
afterAll(() => system?.remove());

test.each(processes)('%s killed with SIGKILL under load: nothing answered is lost', async (name) => {
  await runFault(school, {
    on,
    name: `kill -9 ${name}`,
    make: async () => void process.kill((await system.process(name)).pid, 'SIGKILL'),
  });
});

test.each(['courses', 'auth', 'postgres'] as const)(
  '%s stopped for 10 s under load: nothing answered is lost',
  async (name) => {
    await runFault(school, {
      on,
      name: `SIGSTOP ${name} for 10 s`,
      make: async () => pause((await system.process(name)).pid, 10_000),
    });
  },
);
