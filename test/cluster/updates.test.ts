import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { runFault } from '../faults/table/faultRow.ts';
import { openSchool, type School } from '../faults/table/school.ts';
import { processes } from '../manifests/processes.ts';
import { takesTurns } from './deployment/turns.ts';
import { scale, suspendAutoscalers } from './kubernetes/autoscalers.ts';
import { inspectCluster } from './kubernetes/clusterSystem.ts';
import { evict } from './kubernetes/evict.ts';
import { kubectl, kubectlJson, podsOf, rolledOut, waitForCluster } from './kubernetes/kubectl.ts';
import { readPod } from './kubernetes/readApi.ts';
import { mixedLoad } from './load/otherClients.ts';

const on = 'Kubernetes';
const namespace = 'gradeway';

let school: School;
let load: Awaited<ReturnType<typeof mixedLoad>>;
let resumeAutoscalers: (() => Promise<void>) | undefined;
takesTurns({ alone: ['gradeway'] });
beforeAll(async () => {
  resumeAutoscalers = await suspendAutoscalers(namespace);
  school = await openSchool(await inspectCluster(namespace, inject('baseUrl')));
  load = await mixedLoad(school);
});
afterAll(async () => {
  await resumeAutoscalers?.();
});

/** A change that no client notices: every request gets 2xx, and everything acknowledged is stored. */
const change = (name: string, make: () => Promise<void>) =>
  runFault(school, { on, name, make, load, answers: ['200', '201'] });

const inNamespace = (...parameters: string[]) => kubectl('-n', namespace, ...parameters);
const rollout = (verb: string, name: string) => inNamespace('rollout', verb, `deployment/${name}`);
const completed = (name: string) => rolledOut(namespace, `deployment/${name}`);
const allCompleted = () => Promise.all(processes.map(completed));

test('no request fails while all five processes are replaced at once, quiz with another image tag', async () => {
  await change('all five replaced at once', async () => {
    await inNamespace(
      'set',
      'image',
      'deployment/quiz',
      'main=gradeway/quiz:next',
      'migrate=gradeway/quiz:next',
    );
    for (const name of processes.filter((each) => each !== 'quiz')) await rollout('restart', name);
    await allCompleted();
  });
});

test('no request fails while all five processes are rolled back at once', async () => {
  await change('all five rolled back at once', async () => {
    for (const name of processes) await rollout('undo', name);
    await allCompleted();
  });
  const { spec } = await kubectlJson('-n', namespace, 'get', 'deployment', 'quiz');
  expect(spec.template.spec.containers[0].image).toBe('gradeway/quiz:1.0.0');
});

test('a failing migration stops the update of quiz, the old replica keeps serving, and no request fails', async () => {
  const [old] = await podsOf(namespace, 'quiz');
  const broken = {
    name: 'migrate',
    command: ['node', '-e', "throw new Error('a migration of the test fails')"],
  };
  const patch = { spec: { template: { spec: { initContainers: [broken] } } } };
  await change('migration fails', async () => {
    await inNamespace('patch', 'deployment', 'quiz', '-p', JSON.stringify(patch));
    const stuck = await waitForCluster(async () => {
      const name = (await podsOf(namespace, 'quiz')).find((each) => each !== old);
      const { status } = await readPod(namespace, name ?? '');
      return status.initContainerStatuses?.[0]?.restartCount >= 1 && name;
    });
    const { status } = await kubectlJson('-n', namespace, 'get', 'deployment', 'quiz');
    expect(status).toMatchObject({ availableReplicas: 1, unavailableReplicas: 1 });
    // The command that k8s/README.md names.
    expect(await inNamespace('logs', stuck, '-c', 'migrate')).toContain('a migration of the test fails');
    expect(await podsOf(namespace, 'quiz')).toContain(old);
    await rollout('undo', 'quiz');
    await completed('quiz');
  });
  expect(await podsOf(namespace, 'quiz')).toEqual([old]);
});

test('when RabbitMQ restarts, no request fails and every event arrives', async () => {
  await change('RabbitMQ restarted', async () => {
    await inNamespace('rollout', 'restart', 'statefulset/rabbitmq');
    await rolledOut(namespace, 'statefulset/rabbitmq');
  });
});

// Not down to one yet: the drain needs two of each, and starting them takes longest.
test('no request fails while every process is scaled from one replica to three and then to two', async () => {
  await change('scaled 1 → 3 → 2', async () => {
    await scale(namespace, 3);
    await sleep(2_000);
    await scale(namespace, 2);
  });
});

// With one node, the cordon of `kubectl drain` would keep the replacements from starting, so the test evicts each pod
// of the node as drain does: through the Eviction API, repeatedly while the budget refuses.
test('when a node is drained, the budgets keep one of two replicas running, and no request fails', async () => {
  await scale(namespace, 2);
  const refusals: Record<string, number> = {};
  await change('node drained', async () => {
    await Promise.all(
      processes.map(async (name) => {
        refusals[name] = 0;
        for (const pod of await podsOf(namespace, name))
          await waitFor(async () => {
            if (await evict(namespace, pod)) return true;
            refusals[name] = (refusals[name] ?? 0) + 1;
            await sleep(1_000);
            return false;
          }, 120_000);
      }),
    );
    await allCompleted();
  });
  console.log('evictions refused by the budgets until the replacement was ready:', refusals);
  for (const name of processes) expect(refusals[name]).toBeGreaterThan(0);
});

test('no request fails while every process is scaled from two replicas to one', async () => {
  await scale(namespace, 2);
  await change('scaled 2 → 1', () => scale(namespace, 1));
});
