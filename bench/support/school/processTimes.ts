import { childrenOf } from '@gradeway/test/processUsage';
import { cpuOfTrees } from '../measuring/cpuTime.ts';
import type { Figures } from '../measuring/measure.ts';
import { cpuByThread } from '../measuring/threadTime.ts';
import type { School } from './startSchool.ts';

const processes = ['gateway', 'auth', 'courses', 'quiz'] as const;

/** The processes of a school that serve students. */
export interface SchoolProcesses {
  /** Without PostgreSQL. */
  pids: number[];
  /**
   * Milliseconds of CPU time per operation of `work`, which returns their number: by process, and for quiz also by
   * thread.
   */
  timesOf(work: () => Promise<number>): Promise<Figures>;
}

export async function processesOf({ system }: School): Promise<SchoolProcesses> {
  const pids = Object.fromEntries(
    await Promise.all(processes.map(async (each) => [each, (await system.process(each)).pid])),
  ) as Record<(typeof processes)[number], number>;
  const { pid: postgres } = await system.process('postgres');
  return {
    pids: Object.values(pids),
    async timesOf(work) {
      const before = microseconds(pids, postgres);
      const operations = await work();
      const after = microseconds(pids, postgres);
      const each = (part: string) => ((after[part] ?? 0) - (before[part] ?? 0)) / operations / 1_000;
      return Object.fromEntries(Object.keys(after).map((part) => [part, each(part)]));
    },
  };
}

function microseconds(pids: Record<(typeof processes)[number], number>, postgres: number): Figures {
  const threads = cpuByThread(pids.quiz);
  const sumOf = (name: RegExp) =>
    [...threads].reduce((sum, [thread, time]) => (name.test(thread) ? sum + time : sum), 0);
  return {
    gateway: cpuOfTrees([pids.gateway]),
    auth: cpuOfTrees([pids.auth]),
    courses: cpuOfTrees([pids.courses]),
    quiz: cpuOfTrees([pids.quiz]),
    'quiz main': sumOf(/^main$/),
    'quiz V8': sumOf(/v8|node/i),
    'quiz libuv': sumOf(/libuv|uv/i),
    PDF: cpuOfTrees(childrenOf(pids.quiz, 'pdfWorker')),
    PostgreSQL: cpuOfTrees([postgres]),
  };
}
