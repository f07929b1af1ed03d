import { waitFor } from '@gradeway/test/waitFor';
import { kubectl, kubectlInput, kubectlJson } from './kubectl.ts';

export interface Replicas {
  name: string;
  /** As the autoscaler has decided. */
  wanted: number;
  ready: number;
}

/**
 * Fixes Deployments at one replica, without their autoscalers.
 * @returns what creates the autoscalers again, without a memory of earlier loads
 */
export async function fixAtOneReplica(namespace: string, names: string[]): Promise<() => Promise<void>> {
  const { items } = await kubectlJson('-n', namespace, 'get', 'hpa', ...names);
  await kubectl('-n', namespace, 'delete', 'hpa', ...names);
  await kubectl('-n', namespace, 'scale', '--replicas=1', ...names.map((name) => `deployment/${name}`));
  const selector = `app.kubernetes.io/name in (${names})`;
  await waitFor(async () => {
    // Without those that have ended, which a drained node leaves.
    const phases = '--field-selector=status.phase!=Succeeded,status.phase!=Failed';
    const pods = await kubectlJson('-n', namespace, 'get', 'pods', '-l', selector, phases);
    return pods.items.length === names.length;
  }, 120_000);
  return async () => {
    const autoscalers = items.map(({ apiVersion, kind, metadata, spec }: Autoscaler) => ({
      apiVersion,
      kind,
      metadata: { name: metadata.name, namespace, annotations: metadata.annotations },
      spec,
    }));
    await kubectlInput(autoscalers, 'create');
    // Its first look at the metrics.
    await waitFor(async () => {
      const created = (await kubectlJson('-n', namespace, 'get', 'hpa', ...names)).items;
      return created.every(({ status }: Autoscaler) => status?.currentMetrics);
    }, 120_000);
  };
}

interface Autoscaler {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: object;
  status?: { currentMetrics?: object };
}

export async function replicasOf(namespace: string, names: string[]): Promise<Replicas[]> {
  const deployments = names.map((name) => `deployment/${name}`);
  const { items } = await kubectlJson('-n', namespace, 'get', ...deployments);
  return items.map(({ metadata, spec, status }: Deployment) => ({
    name: metadata.name,
    wanted: spec.replicas,
    ready: status.readyReplicas ?? 0,
  }));
}

interface Deployment {
  metadata: { name: string };
  spec: { replicas: number };
  status: { readyReplicas?: number };
}
