import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { countStored } from '../faults/table/count.ts';
import { Ledger } from '../faults/table/ledger.ts';
import type { SystemUnderTest } from '../faults/table/system.ts';
import { takesTurns } from './deployment/turns.ts';
import { autoscalersActive, replicasOf, suspendAutoscalers } from './kubernetes/autoscalers.ts';
import { inspectCluster } from './kubernetes/clusterSystem.ts';
import { printUsage, recordUsage } from './kubernetes/podUsage.ts';
import { type Exam, handInAll, openExam, refreshPages } from './load/exam.ts';

// At a deadline every student submits four files at once, the maximum for a user (UPLOADS_PER_USER).
const [studentCount, quizCount] = [25, 4];
const uploadCount = studentCount * quizCount;
const scaled = ['gateway', 'quiz'];
const ledger = new Ledger();
let system: SystemUnderTest;
let exam: Exam;

takesTurns({ alone: ['gradeway', 'production'] });
beforeAll(async () => {
  system = await inspectCluster('gradeway', inject('baseUrl'));
  exam = await openExam(system, studentCount);
});

// Leaves one replica of each, with autoscalers that will not scale up again.
afterAll(async () => (await suspendAutoscalers('gradeway', scaled))());

/** A deadline: all files at once, while other students refresh their lists. */
async function deadline(title: string): Promise<void> {
  const stopUsage = await recordUsage('gradeway');
  const stopPages = refreshPages(exam, 10);
  const { seconds, medianSeconds } = await handInAll(exam, quizCount, ledger);
  // The kubelet measures every ten seconds or so.
  await sleep(12_000);
  const pages = await stopPages();
  const rate = uploadCount / seconds;
  process.stdout.write(
    `\n${title}: ${uploadCount} uploads in ${seconds.toFixed(1)} s (${rate.toFixed(1)} a second), half of them in ` +
      `${medianSeconds.toFixed(1)} s; meanwhile and in the next 12 s ${pages.toFixed(0)} pages a second, and:\n`,
  );
  printUsage('', await stopUsage());
}

test('with one replica each, every upload of a deadline is accepted', async () => {
  const resume = await suspendAutoscalers('gradeway', scaled);
  try {
    await deadline('One replica each');
  } finally {
    await resume();
    await autoscalersActive('gradeway', scaled);
  }
  expect(ledger.accepted).toBe(uploadCount);
});

test('under the load of a deadline the autoscalers add replicas of quiz and of the gateway', async () => {
  const startedAt = performance.now();
  const seen: string[] = [];
  const watch = async () => {
    const replicas = await replicasOf('gradeway', scaled);
    const state = replicas.map(({ name, wanted, ready }) => `${name} ${ready} of ${wanted}`).join(', ');
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    if (!seen.at(-1)?.endsWith(state)) seen.push(`after ${seconds} s: ${state}`);
    return replicas.every(({ wanted, ready }) => wanted > 1 && ready === wanted);
  };
  let isOver = false;
  const scaling = waitFor(() => sleep(1_000).then(watch), 150_000).finally(() => {
    isOver = true;
  });
  // Awaited below, after the load.
  scaling.catch(() => {});
  let uploads = uploadCount;
  await deadline('While the autoscalers react');
  // A fast machine stores all uploads before an autoscaler reads the metrics: in that case further quizzes end until
  // it has read them. Their files are small, because the backup tests read all of them.
  const stopPages = refreshPages(exam, studentCount);
  for (; !isOver; uploads += studentCount) await handInAll(exam, 1, ledger, 20_000);
  await stopPages();
  process.stdout.write(`\nReady replicas, after ${uploads} uploads\n${seen.join('\n')}\n`);
  await scaling;
  await deadline('With the replicas that they added');
  expect(ledger.accepted).toBe(uploadCount + uploads + uploadCount);
});

test('every one of these uploads is stored, once', async () => {
  const count = await countStored(system, ledger);
  process.stdout.write(
    `\nResponses to the uploads: ${JSON.stringify(ledger.answers)}; stored: ${count.found}\n`,
  );
  expect(count).toEqual({ found: ledger.accepted, lost: [], doubled: [], halfDone: [] });
});
