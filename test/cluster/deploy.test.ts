import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { takesTurns } from './deployment/turns.ts';
import { kubectl, kubectlInput, kubectlJson, rolledOut } from './kubernetes/kubectl.ts';

const overlay = (name: string) => fileURLToPath(new URL(`overlays/${name}`, import.meta.url));

interface ContainerStatus {
  name: string;
  ready: boolean;
  restartCount: number;
}

interface Pod {
  metadata: { name: string; labels: Record<string, string>; deletionTimestamp?: string };
  status: { containerStatuses: ContainerStatus[]; initContainerStatuses?: ContainerStatus[] };
}

const pods = async (): Promise<Pod[]> => {
  const { items } = await kubectlJson(
    '-n',
    'gradeway',
    'get',
    'pods',
    '--field-selector=status.phase=Running',
  );
  return items.filter((pod: Pod) => !pod.metadata.deletionTimestamp);
};

takesTurns({ alone: ['gradeway', 'production'] });
test(`every pod becomes ready without a restart of its processes (after ${inject('readySeconds')} s)`, async () => {
  const running = await pods();
  const names = new Set(running.map(({ metadata }) => metadata.labels['app.kubernetes.io/name']));
  expect([...names].toSorted()).toEqual([
    ...['auth', 'courses', 'gateway', 'homework', 'jaeger', 'postgres', 'quiz', 'rabbitmq', 'valkey'],
  ]);
  for (const { metadata, status } of running)
    for (const { name, ready, restartCount } of status.containerStatuses)
      expect({ pod: metadata.name, name, ready, restartCount }).toMatchObject({
        ready: true,
        restartCount: 0,
      });
});

test('the namespace refuses a pod that is not restricted', async () => {
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'unrestricted', namespace: 'gradeway' },
    spec: { containers: [{ name: 'main', image: 'gradeway/gateway:1.0.0' }] },
  };
  await expect(kubectlInput([pod], 'create', '--dry-run=server')).rejects.toThrow(
    /violates PodSecurity "restricted/,
  );
});

const kinds = 'deployments,statefulsets,networkpolicies,poddisruptionbudgets,cronjobs';

interface Applied {
  kind: string;
  metadata: { name: string; uid: string };
  spec: { replicas?: number };
}

/**
 * The applied objects, except for the number of replicas, which autoscalers change: starting processes use a lot of
 * CPU.
 */
async function applied() {
  const { items } = await kubectlJson('-n', 'gradeway', 'get', kinds);
  return items.map(({ kind, metadata: { name, uid }, spec }: Applied) => {
    const { replicas: _, ...rest } = spec;
    return { kind, name, uid, spec: rest };
  });
}

test('a second apply changes nothing', async () => {
  const before = await applied();
  expect(before.length).toBeGreaterThan(10);
  // Ignores the words that `apply` prints: it reports every PodDisruptionBudget and StatefulSet as "configured".
  expect(await kubectl('diff', '--concurrency=8', '-k', overlay('all'))).toBe('');
  await kubectl('apply', '-k', overlay('all'));
  expect(await applied()).toEqual(before);
});

test('applying one service alone, with another tag, changes only that service', async () => {
  const names = async () => (await pods()).map(({ metadata }) => metadata.name).toSorted();
  const others = (all: string[]) => all.filter((name) => !name.startsWith('quiz-'));
  const before = await names();
  try {
    await kubectl('apply', '-k', overlay('quizUpdate'));
    await rolledOut('gradeway', 'deployment/quiz');
    const after = await names();
    // An autoscaler may have added some.
    expect(after).toEqual(expect.arrayContaining(others(before)));
    expect(after).not.toEqual(before);
    const { spec } = await kubectlJson('-n', 'gradeway', 'get', 'deployment', 'quiz');
    expect(spec.template.spec.containers[0].image).toBe('gradeway/quiz:next');
  } finally {
    await kubectl('apply', '-k', overlay('all'));
    await rolledOut('gradeway', 'deployment/quiz');
  }
});
