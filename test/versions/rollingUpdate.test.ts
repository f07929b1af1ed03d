import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hasRabbit, type Rabbit, startRabbit } from '@gradeway/test/rabbitmq';
import { createEmptyDatabase } from '@gradeway/test/testDatabase';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runFault } from '../faults/table/faultRow.ts';
import type { Load } from '../faults/table/load.ts';
import { names, type ReplicatedSystem, startReplicatedSystem } from '../faults/table/replicas.ts';
import { openSchool, type School } from '../faults/table/school.ts';
import { openSchoolDays, planImport, type SchoolDays } from './schoolDays.ts';
import { uploadAcross } from './uploadAcross.ts';

const present = new URL('../../', import.meta.url).href;
const previous = inject('previousRelease');
if (!previous)
  console.warn('\n*** No release has been recorded: nothing is tested beside the present version ***\n');
// No client notices a rolling update.
const answers = ['200', '201'];

// With the broker of a cluster. CI installs it, and the fault tests require it there.
const on = hasRabbit ? 'rolling update, RabbitMQ' : 'rolling update';

/**
 * Both directions replace the processes in one order. After the update, every process has run beside older versions of those that
 * follow it, and after the rollback beside newer ones: each version of each process has met each version of every other.
 */
describe.skipIf(!previous)(`this version beside ${previous?.version}`, () => {
  let system: ReplicatedSystem;
  let school: School & { system: ReplicatedSystem };
  let days: SchoolDays;
  let rabbit: Rabbit | undefined;
  beforeAll(async () => {
    rabbit = hasRabbit ? await startRabbit() : undefined;
    const events: Record<string, string> = rabbit ? { EVENTS_URL: rabbit.url } : {};
    const env = { ...events, WEBHOOK_ALLOW_HTTP: '1', WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '1' };
    system = await startReplicatedSystem({
      root: previous?.root,
      database: await createEmptyDatabase(),
      envOf: () => env,
    });
    school = { ...(await openSchool(system)), system };
    days = await openSchoolDays(system);
  });
  afterAll(async () => {
    await days?.close();
    await system?.close();
    await rabbit?.stop();
  });

  /** Replaces the replicas of every process. Both versions of each, and every pair of them, serve whole school days. */
  async function replaceEveryProcess(root: string, { ledger }: Load): Promise<void> {
    const admin = await school.fixtures.asAdmin();
    const commits = [await planImport(admin)];
    for (const name of names) {
      if (name === 'auth' || name === 'courses') await system.replaceAll(name, root);
      else await uploadAcross(school, name, { root, ledger });
      await days.pass(1);
      if (name === 'auth' || name === 'courses') commits.push(await planImport(admin));
    }
    const statuses = [];
    for (const commit of commits) statuses.push(await commit());
    expect(statuses).toEqual([200, 200, 200]);
  }

  const runUnderLoad = async (name: string, make: (load: Load) => Promise<void>) => {
    await runFault(school, { on, name, answers, make, load: { workers: 2, others: [days.live] } });
    expect(days.failures).toEqual([]);
  };

  async function migrateSchemas(): Promise<void> {
    for (const service of ['auth', 'courses', 'homework', 'quiz'] as const) {
      const command = fileURLToPath(new URL(`services/${service}/dist/command.js`, present));
      const env = { PATH: process.env.PATH, DATABASE_URL: system.database.url(service) };
      await promisify(execFile)(process.execPath, [command, 'migrate'], { env });
    }
    await days.pass(1);
  }

  // One test, because each step begins where the one before it ends.
  test('the migrations, an update and a rollback under load fail no request, and lose and duplicate nothing', async () => {
    await runUnderLoad('schema of N under N−1', migrateSchemas);
    await runUnderLoad('update, N−1 to N', (load) => replaceEveryProcess(present, load));
    await runUnderLoad('rollback, N to N−1', (load) => replaceEveryProcess(previous?.root ?? present, load));
  });
});
