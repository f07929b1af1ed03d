import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { expect, test } from 'vitest';
import { allOf, find, processes, workloadsOf } from './manifests.ts';

const folder = 'overlays/all';
const nodeMillicores = 2_000;
// The control plane, CoreDNS, kube-proxy, an ingress controller.
const ofTheSystem = 300;

const millicores = (quantity: unknown): number => {
  const [, number = '', unit] = /^([\d.]+)(m?)$/.exec(String(quantity)) ?? [];
  return unit === 'm' ? Number(number) : Number(number) * 1000;
};
const requestOf = ({ resources }: IContainer): number => millicores(resources?.requests?.cpu);

/** The resources that the scheduler reserves: init containers run before the others, one after another. */
const requestOfPod = ({ containers, initContainers = [] }: Pick<IPodSpec, 'containers' | 'initContainers'>) =>
  Math.max(
    ...initContainers.map(requestOf),
    containers.map(requestOf).reduce((sum, each) => sum + each, 0),
  );

const scalerOf = (name: string) =>
  allOf(folder, 'HorizontalPodAutoscaler').find(({ metadata }) => metadata.name === name)?.spec;

/** Every replica that the autoscaler may add, plus the one that an update adds. */
function mostPodsOf(name: string): number {
  const deployment = allOf(folder, 'Deployment').find(({ metadata }) => metadata.name === name);
  return (scalerOf(name)?.maxReplicas ?? deployment?.spec.replicas ?? 1) + (deployment ? 1 : 0);
}

test('everything fits on a two-core node, with all replicas and during an update of each process', () => {
  const reserved = Object.fromEntries(
    workloadsOf(folder).map(({ name, template }) => [
      name,
      mostPodsOf(name) * requestOfPod(template.spec as IPodSpec),
    ]),
  );
  expect(Object.keys(reserved)).toEqual(
    expect.arrayContaining([...processes, 'postgres', 'rabbitmq', 'valkey', 'jaeger', 'backup']),
  );
  const sum = Object.values(reserved).reduce((total, each) => total + each, 0);
  expect(sum, JSON.stringify(reserved)).toBeLessThanOrEqual(nodeMillicores - ofTheSystem);
});

// A percentage would relate to the resource requests of a normal day, so a small load would add replicas.
test.each(processes)('%s gets more replicas when one uses several times its request', (name) => {
  const request = requestOfPod(find(folder, 'Deployment', name).spec.template.spec);
  for (const place of [folder, 'overlays/production']) {
    const [{ resource }] = find(place, 'HorizontalPodAutoscaler', name).spec.metrics;
    expect(resource).toMatchObject({ name: 'cpu', target: { type: 'AverageValue' } });
    const threshold = millicores(resource.target.averageValue);
    expect(threshold).toBeGreaterThanOrEqual(3 * request);
    // A process runs JavaScript on one core.
    expect(threshold).toBeLessThan(800);
  }
});
