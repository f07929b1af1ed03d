import { expect, test } from 'vitest';
import { customViolations } from './customSchemas.ts';
import { find, processes } from './manifests.ts';
import { type End, Policies, selects } from './policies.ts';

const folder = 'platform/rabbitmq-ha';
const cluster = find(folder, 'RabbitmqCluster', 'rabbitmq');
// The operator gives the pods this label.
const labels = { 'app.kubernetes.io/name': cluster.metadata.name };
const pod = cluster.spec.override.statefulSet.spec.template.spec;

test('the RabbitmqCluster is valid against the schema of its version, and has no unknown field', () => {
  expect(customViolations(cluster)).toEqual([]);
  const wrong = structuredClone(cluster);
  wrong.spec.replicas = 'three';
  wrong.spec.persistence.storige = '10Gi';
  expect(customViolations(wrong)).toEqual([
    expect.stringContaining('storige'),
    expect.stringContaining('/spec/replicas must be integer'),
  ]);
});

test('three nodes are on different nodes of Kubernetes and spread over zones, and at most one is drained', () => {
  expect(cluster.spec.replicas).toBe(3);
  const [near] = cluster.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
  expect(near.topologyKey).toBe('kubernetes.io/hostname');
  const [zones] = pod.topologySpreadConstraints;
  expect(zones).toMatchObject({
    maxSkew: 1,
    topologyKey: 'topology.kubernetes.io/zone',
    whenUnsatisfiable: 'DoNotSchedule',
  });
  const budget = find(folder, 'PodDisruptionBudget', 'rabbitmq').spec;
  expect(budget.maxUnavailable).toBe(1);
  for (const selector of [near.labelSelector, zones.labelSelector, budget.selector])
    expect(selects(selector, labels)).toBe(true);
});

test('the nodes import the users and queues, and give every queue three members', () => {
  const settings = Object.fromEntries(
    cluster.spec.rabbitmq.additionalConfig.split('\n').map((line: string) => line.split(' = ')),
  );
  const reconciliation = 'quorum_queue.continuous_membership_reconciliation';
  expect(settings).toMatchObject({
    load_definitions: '/etc/gradeway/definitions.json',
    cluster_partition_handling: 'pause_minority',
    [`${reconciliation}.enabled`]: 'true',
    [`${reconciliation}.target_group_size`]: '3',
  });
  expect(pod.containers[0].volumeMounts[0].mountPath).toBe('/etc/gradeway');
  expect(pod.volumes[0].secret.items[0]).toEqual({ key: 'definitions.json', path: 'definitions.json' });
});

test('all processes reach the broker, and its nodes reach only each other', () => {
  const policies = new Policies(folder);
  const end = (name: string): End => ({
    name,
    namespace: 'gradeway',
    labels: { 'app.kubernetes.io/name': name },
  });
  const broker = end('rabbitmq');
  for (const name of processes) {
    expect(policies.mayLeave(end(name), broker, 5672) && policies.mayEnter(end(name), broker, 5672)).toBe(
      true,
    );
    expect(policies.mayEnter(end(name), broker, 25672)).toBe(false);
    expect(policies.mayLeave(broker, end(name), 8080)).toBe(false);
  }
  for (const port of [4369, 25672])
    expect(policies.mayLeave(broker, broker, port) && policies.mayEnter(broker, broker, port)).toBe(true);
  expect(policies.mayLeave(broker, { name: 'outside', address: '203.0.113.9' }, 443)).toBe(false);
});
