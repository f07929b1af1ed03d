import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Ledger } from '../faults/table/ledger.ts';
import { processes } from '../manifests/processes.ts';
import { takesTurns } from './deployment/turns.ts';
import { suspendAutoscalers } from './kubernetes/autoscalers.ts';
import { inspectCluster } from './kubernetes/clusterSystem.ts';
import { kubectl, kubectlJson, replaced } from './kubernetes/kubectl.ts';
import { printUsage, recordUsage } from './kubernetes/podUsage.ts';
import { type Exam, openExam } from './load/exam.ts';
import { liveNormalDay } from './load/normalDay.ts';

// The measurements behind docs/capacity.md; those at a deadline are in autoscaling.test.ts.
const [idleSeconds, daySeconds] = [20, 40];
const ledger = new Ledger();
let exam: Exam;
let resumeAutoscalers: () => Promise<void>;

takesTurns({ alone: ['gradeway', 'production'] });
beforeAll(async () => {
  resumeAutoscalers = await suspendAutoscalers('gradeway');
  await replacePods();
  exam = await openExam(await inspectCluster('gradeway', inject('baseUrl')), 10);
});
afterAll(() => resumeAutoscalers());

test('on a normal day every request succeeds, and every pod stays within its memory request', async () => {
  const stopIdle = await recordUsage('gradeway');
  await sleep(idleSeconds * 1000);
  printUsage(`Idle, ${idleSeconds} s`, await stopIdle());

  const stop = await recordUsage('gradeway');
  const answers = await liveNormalDay(exam, daySeconds, ledger);
  const usage = await stop();
  printUsage(`A normal day, ${daySeconds} s`, usage);

  expect(Object.keys({ ...answers, ...ledger.answers })).toEqual(['200']);
  const requested = await memoryRequests('gradeway');
  const above = usage.filter(({ name, peakMebibytes }) => peakMebibytes > (requested.get(name) ?? 0));
  expect(above).toEqual([]);
});

/**
 * Replaces the pod of each process. The kernel counts the files of an image as memory of the first pod that reads
 * them, and a pod keeps memory that an earlier load needed: neither represents a normal day.
 */
async function replacePods(): Promise<void> {
  await kubectl('-n', 'gradeway', 'rollout', 'restart', ...processes.map((name) => `deployment/${name}`));
  for (const name of processes) await replaced('gradeway', name);
}

/** The memory requests of the Deployments and StatefulSets of a namespace, in mebibytes. */
async function memoryRequests(namespace: string): Promise<Map<string, number>> {
  const { items } = await kubectlJson('-n', namespace, 'get', 'deployments,statefulsets');
  return new Map(
    items.map(({ metadata, spec }: Workload) => [
      metadata.name,
      Number.parseInt(spec.template.spec.containers[0]?.resources.requests.memory ?? '0', 10),
    ]),
  );
}

interface Workload {
  metadata: { name: string };
  spec: { template: { spec: { containers: { resources: { requests: { memory: string } } }[] } } };
}
