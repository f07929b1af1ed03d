import { processes } from '../../manifests/processes.ts';
import { kubectl, kubectlInput, kubectlJson, rolledOut, waitForCluster } from './kubectl.ts';
import { listPods, readApi } from './readApi.ts';

export interface Replicas {
  name: string;
  /** The number of replicas that the autoscaler has chosen. */
  wanted: number;
  ready: number;
}

interface Autoscaler {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: object;
  status?: { currentMetrics?: object };
}

interface Deployment {
  metadata: { name: string };
  spec: { replicas: number };
  status: { readyReplicas?: number };
}

/**
 * Deletes the autoscalers of Deployments, and scales these to one replica.
 * @returns a function that creates the autoscalers again, without the history of earlier loads
 */
export async function suspendAutoscalers(
  namespace: string,
  names: readonly string[] = processes,
): Promise<() => Promise<void>> {
  const { items } = await kubectlJson('-n', namespace, 'get', 'hpa', ...names);
  await kubectl('-n', namespace, 'delete', 'hpa', ...names);
  await scale(namespace, 1, names);
  return async () => {
    const autoscalers = items.map(({ apiVersion, kind, metadata, spec }: Autoscaler) => ({
      apiVersion,
      kind,
      metadata: { name: metadata.name, namespace, annotations: metadata.annotations },
      spec,
    }));
    await kubectlInput(autoscalers, 'create');
  };
}

/** Waits until the autoscalers have read their metrics once, which takes about ten seconds after their creation. */
export const autoscalersActive = (namespace: string, names: readonly string[]): Promise<unknown> =>
  waitForCluster(async () => {
    const { items } = await readApi(`/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`);
    const chosen = items.filter(({ metadata }: Autoscaler) => names.includes(metadata.name));
    return chosen.length === names.length && chosen.every(({ status }: Autoscaler) => status?.currentMetrics);
  }, 120_000);

/** Scales Deployments, and waits until they have that many pods, all ready. */
export async function scale(
  namespace: string,
  replicas: number,
  names: readonly string[] = processes,
): Promise<void> {
  const deployments = names.map((name) => `deployment/${name}`);
  await kubectl('-n', namespace, 'scale', `--replicas=${replicas}`, ...deployments);
  for (const deployment of deployments) await rolledOut(namespace, deployment);
  // `rollout status` does not wait for terminating pods. Pods evicted from a drained node remain listed.
  const fields = 'status.phase!=Succeeded,status.phase!=Failed';
  const labels = `app.kubernetes.io/name in (${names})`;
  await waitForCluster(async () => {
    const pods = await listPods(namespace, { labels, fields });
    return pods.length === replicas * names.length;
  }, 240_000);
}

export async function replicasOf(namespace: string, names: readonly string[]): Promise<Replicas[]> {
  const { items } = await readApi(`/apis/apps/v1/namespaces/${namespace}/deployments`);
  return items
    .filter(({ metadata }: Deployment) => names.includes(metadata.name))
    .map(({ metadata, spec, status }: Deployment) => ({
      name: metadata.name,
      wanted: spec.replicas,
      ready: status.readyReplicas ?? 0,
    }));
}
