// Measures how soon the local run has replaced a killed process, and how soon a restarted system is ready.
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import { waitFor } from '@gradeway/test/waitFor';
import { median } from './benchService.ts';

const [rounds, replacedGoalMs, readyGoalMs] = [5, 2_000, 6_000];

async function timeToReplace(system: LocalSystem, name: 'quiz' | 'postgres'): Promise<number> {
  const { pid } = await system.process(name);
  const killedAt = performance.now();
  process.kill(pid, 'SIGKILL');
  await waitFor(async () => (await system.process(name)).pid !== pid);
  return performance.now() - killedAt;
}

async function timeToRestart(system: LocalSystem): Promise<number> {
  await system.stop();
  const startedAt = performance.now();
  await system.start();
  return performance.now() - startedAt;
}

const system = await startLocalSystem();
const measured: [name: string, goalMs: number, ms: number[]][] = [];
try {
  for (const [name, goalMs, measure] of [
    ['quiz replaced', replacedGoalMs, () => timeToReplace(system, 'quiz')],
    ['PostgreSQL replaced', replacedGoalMs, () => timeToReplace(system, 'postgres')],
    ['system ready', readyGoalMs, () => timeToRestart(system)],
  ] as const) {
    const ms: number[] = [];
    for (let round = 0; round < rounds; round += 1) ms.push(await measure());
    measured.push([name, goalMs, ms]);
  }
} finally {
  await system.remove();
}

for (const [name, goalMs, ms] of measured)
  console.log(`${name.padEnd(20)} median ${median(ms).toFixed(0)} ms (goal: at most ${goalMs} ms)`);
process.exit(measured.every(([, goalMs, ms]) => median(ms) <= goalMs) ? 0 : 1);
