import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, test } from 'vitest';
import { runFault } from './faultRow.ts';
import { runMigration, services } from './runMigration.ts';
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

test.each(processes)('%s killed with SIGKILL under load: nothing acknowledged is lost', async (name) => {
  await runFault(school, {
    on,
    name: `kill -9 ${name}`,
    make: async () => void process.kill((await system.process(name)).pid, 'SIGKILL'),
  });
});

test.each(['courses', 'auth', 'postgres'] as const)(
  '%s stopped for 10 s under load: nothing acknowledged is lost',
  async (name) => {
    await runFault(school, {
      on,
      name: `SIGSTOP ${name} for 10 s`,
      make: async () => pause((await system.process(name)).pid, 10_000),
    });
  },
);

test('nothing acknowledged is lost when every process is killed at once under load', async () => {
  await runFault(school, {
    on,
    name: 'kill -9 of all processes',
    make: async () => {
      await system.kill();
      await system.start();
    },
  });
});

test('nothing acknowledged is lost when PostgreSQL terminates its connections under load', async () => {
  await runFault(school, {
    on,
    name: 'connections of Postgres terminated, 10 times',
    make: async () => {
      for (let each = 0; each < 10; each += 1) {
        await school.system.query(
          'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IS NOT NULL AND pid <> pg_backend_pid()',
        );
        await sleep(300);
      }
    },
  });
});

test('nothing acknowledged is lost when PostgreSQL restarts under load', async () => {
  await runFault(school, {
    on,
    name: 'Postgres restarted',
    make: async () => {
      const { pid } = await system.process('postgres');
      // A fast shutdown, as for a PostgreSQL update; the supervisor starts it again.
      process.kill(pid, 'SIGINT');
      await waitFor(async () => (await system.process('postgres')).pid !== pid);
    },
  });
});

test('nothing acknowledged is lost when migrations run twice at once under load', async () => {
  await runFault(school, {
    on,
    name: 'each migration run twice at once',
    make: async () => {
      await Promise.all([1, 2].flatMap(() => services.map((name) => runMigration(system, name))));
    },
  });
});
