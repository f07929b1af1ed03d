import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { countStored } from '../faults/table/count.ts';
import { Ledger } from '../faults/table/ledger.ts';
import type { SystemUnderTest } from '../faults/table/system.ts';
import { inspectCluster } from './clusterSystem.ts';
import { withCopiedFiles } from './copiedFiles.ts';
import { type Delivery, type Exam, handInAll, openExam } from './exam.ts';
import { printUsage, recordUsage } from './podUsage.ts';
import { fixAtOneReplica, replicasOf } from './scaling.ts';

// At a deadline every student hands in four files at once, which is what a user may (UPLOADS_PER_USER).
const [studentCount, quizCount] = [25, 4];
const scaled = ['gateway', 'quiz'];
const ledger = new Ledger();
let system: SystemUnderTest;
let exam: Exam;

beforeAll(async () => {
  system = await inspectCluster('gradeway', inject('baseUrl'));
  exam = await openExam(system, studentCount);
});

// Leaves one replica of each, and autoscalers that would not add the others again.
afterAll(async () => (await fixAtOneReplica('gradeway', scaled))());

const deadline = async (title: string): Promise<Delivery> => {
  const stop = await recordUsage('gradeway');
  const delivery = await handInAll(exam, quizCount, ledger);
  const { seconds, medianSeconds } = delivery;
  const rate = (studentCount * quizCount) / seconds;
  process.stdout.write(
    `\n${title}: ${studentCount * quizCount} uploads in ${seconds.toFixed(1)} s (${rate.toFixed(1)} a second); ` +
      `half of them were answered after ${medianSeconds.toFixed(1)} s\n`,
  );
  // The kubelet measures later.
  await sleep(15_000);
  printUsage(`Used meanwhile and in the 15 s afterwards`, await stop());
  return delivery;
};

test('with one replica of each process, every upload of a deadline is accepted', async () => {
  const release = await fixAtOneReplica('gradeway', scaled);
  try {
    await deadline('One replica each');
  } finally {
    await release();
  }
  expect(ledger.answers).toEqual({ 200: studentCount * quizCount });
});

test("under a deadline's load the autoscalers add replicas of quiz and of the gateway", async () => {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
  const seen: string[] = [];
  const watch = waitFor(async () => {
    const replicas = await replicasOf('gradeway', scaled);
    const state = replicas.map(({ name, wanted, ready }) => `${name} ${ready} of ${wanted}`).join(', ');
    if (!seen.at(-1)?.endsWith(state)) seen.push(`after ${seconds()}: ${state}`);
    await sleep(1_000);
    return replicas.every(({ wanted, ready }) => wanted > 1 && ready === wanted);
  }, 180_000);
  await deadline('While the autoscalers react');
  await watch.finally(() => process.stdout.write(`\nReady replicas\n${seen.join('\n')}\n`));
  await deadline('With the replicas that they added');
  expect(ledger.answers).toEqual({ 200: 3 * studentCount * quizCount });
});

test('every one of these uploads is stored, once', async () => {
  const count = await withCopiedFiles(system, { namespace: 'gradeway', kind: 'quiz' }, (copied) =>
    countStored(copied, ledger),
  );
  expect(count).toEqual({ found: ledger.accepted, lost: [], doubled: [], halfDone: [] });
});
