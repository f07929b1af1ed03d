// Measures how soon a killed process is replaced, how soon `npm start` and a cold service are ready, and how much CPU and memory the five
// processes use while they are idle.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@gradeway/local/ports';
import { startFakePeers } from '@gradeway/test/fakePeers';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { memoryOf } from '@gradeway/test/processUsage';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { waitFor } from '@gradeway/test/waitFor';
import { startBenchDatabase } from '../support/database/benchDatabase.ts';
import { cpuOfTrees } from '../support/measuring/cpuTime.ts';
import type { Row } from '../support/measuring/row.ts';
import { median, short } from '../support/measuring/statistics.ts';
import { startBenchProcess } from '../support/processes/benchProcess.ts';

const rounds = 5;
const [idleSeconds, settleSeconds] = [20, 15];
const processes = ['gateway', 'auth', 'courses', 'homework', 'quiz'] as const;

export async function run(): Promise<Row[]> {
  const system = await startLocalSystem();
  try {
    const idle = await measureIdle(system);
    return [
      ...idle,
      row('quiz', 'a killed quiz is replaced', 2_000, await repeat(() => timeToReplace(system, 'quiz'))),
      row(
        'postgres',
        'a killed PostgreSQL is replaced',
        2_000,
        await repeat(() => timeToReplace(system, 'postgres')),
      ),
      row('start', '`npm start` again: ready', 5_000, await repeat(() => timeToStart(system))),
      row('service', 'one service, without a compile cache: ready', 1_200, await timesFromCold()),
    ];
  } finally {
    await system.remove();
  }
}

const row = (name: string, work: string, atMost: number, values: number[]): Row => ({
  name: `restart.${name}`,
  work,
  against: '-',
  goal: { atMost },
  unit: 'ms',
  values,
});

async function repeat(measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let round = 0; round < rounds; round += 1) values.push(await measure());
  return values;
}

async function timeToReplace(system: LocalSystem, name: 'quiz' | 'postgres'): Promise<number> {
  const { pid } = await system.process(name);
  const killedAt = performance.now();
  process.kill(pid, 'SIGKILL');
  await waitFor(async () => (await system.process(name)).pid !== pid);
  return performance.now() - killedAt;
}

/** Stops the system, then runs `npm start` on its data until it reports that it is ready. */
async function timeToStart(system: LocalSystem): Promise<number> {
  await system.stop();
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { adminEmail: ADMIN_EMAIL, adminPassword: ADMIN_PASSWORD, directory: DATA_DIR } = system;
  const settings = { PORT: `${await freePort()}`, DATA_DIR, ADMIN_EMAIL, ADMIN_PASSWORD, DEMO_DATA: '0' };
  const startedAt = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('Gradeway is ready') && resolve());
    child.once('exit', () => reject(new Error('npm start ended')));
  });
  const ms = performance.now() - startedAt;
  // npm exits before the process that it started.
  const group = -(child.pid ?? 0);
  process.kill(group, 'SIGTERM');
  await waitFor(() => hasEnded(group));
  await system.start();
  return ms;
}

function hasEnded(group: number): boolean {
  try {
    process.kill(group, 0);
    return false;
  } catch {
    return true;
  }
}

async function timesFromCold(): Promise<number[]> {
  const database = await startBenchDatabase();
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const start = () => startBenchProcess('quiz', { database, peers, tokens });
  // Migrates the schema.
  await (await start()).stop();
  const times = await repeat(async () => {
    const startedAt = performance.now();
    const service = await start();
    const ms = performance.now() - startedAt;
    await service.stop();
    return ms;
  });
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();
  return times;
}

async function measureIdle(system: LocalSystem): Promise<Row[]> {
  await sleep(settleSeconds * 1_000);
  const pids = await Promise.all(processes.map(async (name) => (await system.process(name)).pid));
  const values: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const before = cpuOfTrees(pids);
    await sleep(idleSeconds * 1_000);
    values.push(((cpuOfTrees(pids) - before) / (idleSeconds * 1e6)) * 100);
  }
  const resident = pids.map((pid) => memoryOf(pid).now / 2 ** 20);
  const shares = pids.map(proportionalMb);
  const figures = processes.map((name, index) => `${name} ${short(resident[index] ?? 0)}`);
  return [
    {
      name: 'idle.cpu',
      work: 'CPU of the five processes while idle, in percent of a core',
      against: '-',
      goal: { atMost: 2 },
      unit: '%',
      values,
    },
    {
      name: 'idle.memory',
      work: 'resident memory of the five processes while idle; pages that they share count once',
      against: '-',
      goal: { atMost: 450 },
      unit: 'MB',
      values: [shares.reduce((sum, mb) => sum + mb, 0)],
      note: `resident: ${figures.join(', ')} MB; median ${short(median(resident))}`,
    },
  ];
}

// A shared page counts in proportion to the processes that map it.
function proportionalMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024;
}
