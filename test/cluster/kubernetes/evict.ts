import { kubectlInput } from './kubectl.ts';

/**
 * Asks the Eviction API to end a pod, as `kubectl drain` does for each pod of a node.
 * @returns false when its PodDisruptionBudget does not allow it now
 */
export async function evict(namespace: string, pod: string): Promise<boolean> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/eviction`;
  try {
    await kubectlInput(JSON.stringify(eviction), 'create', '--raw', path);
    return true;
  } catch (error) {
    if (/disruption budget/.test(String(error))) return false;
    throw error;
  }
}
