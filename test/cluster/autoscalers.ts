import { kubectl, kubectlJson } from './kubectl.ts';

const disabled = { selectPolicy: 'Disabled' };

/**
 * Leaves the number of replicas to the test: the autoscalers of a namespace neither add nor remove any.
 * @returns what gives it back to them
 */
export async function holdAutoscalers(namespace: string): Promise<() => Promise<void>> {
  const { items } = await kubectlJson('-n', namespace, 'get', 'hpa');
  const patch = async (name: string, spec: object) => {
    const text = JSON.stringify({ spec });
    await kubectl('-n', namespace, 'patch', 'hpa', name, '--type=merge', '-p', text);
  };
  for (const { metadata } of items)
    await patch(metadata.name, { maxReplicas: 10, behavior: { scaleUp: disabled, scaleDown: disabled } });
  return async () => {
    for (const { metadata, spec } of items)
      await patch(metadata.name, { maxReplicas: spec.maxReplicas, behavior: spec.behavior ?? null });
  };
}
