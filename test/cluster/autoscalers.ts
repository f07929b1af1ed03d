import { waitFor } from '@gradeway/test/waitFor';
import { kubectl, kubectlJson, rolledOut } from './kubectl.ts';

const processes = ['gateway', 'auth', 'courses', 'homework', 'quiz'];
const disabled = { selectPolicy: 'Disabled' };

/**
 * Leaves the number of replicas of the processes to the test, first one of each: their autoscalers neither add nor remove
 * any.
 * @returns what gives the number back to them
 */
export async function holdAutoscalers(namespace: string): Promise<() => Promise<void>> {
  const { items } = await kubectlJson('-n', namespace, 'get', 'hpa');
  const patch = async (name: string, spec: object) => {
    const text = JSON.stringify({ spec });
    await kubectl('-n', namespace, 'patch', 'hpa', name, '--type=merge', '-p', text);
  };
  for (const { metadata } of items)
    await patch(metadata.name, { maxReplicas: 10, behavior: { scaleUp: disabled, scaleDown: disabled } });
  await scaleProcesses(namespace, 1);
  return async () => {
    for (const { metadata, spec } of items)
      await patch(metadata.name, { maxReplicas: spec.maxReplicas, behavior: spec.behavior ?? null });
  };
}

/** Sets the number of replicas of every process, and waits until there are that many pods, all of them ready. */
export async function scaleProcesses(namespace: string, replicas: number): Promise<void> {
  const deployments = processes.map((name) => `deployment/${name}`);
  await kubectl('-n', namespace, 'scale', `--replicas=${replicas}`, ...deployments);
  for (const deployment of deployments) await rolledOut(namespace, deployment);
  // `rollout status` does not wait for the pods that end.
  await waitFor(async () => {
    const selector = `app.kubernetes.io/name in (${processes})`;
    const { items } = await kubectlJson('-n', namespace, 'get', 'pods', '-l', selector);
    return items.length === replicas * processes.length;
  }, 240_000);
}
