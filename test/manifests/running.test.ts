import { describe, expect, test } from 'vitest';
import {
  allOf,
  everyPlace,
  find,
  folders,
  type Manifest,
  objectsOf,
  processes,
  workloadsOf,
} from './manifests.ts';
import { selects } from './policies.ts';

describe.each(everyPlace)('%s as of %s', (name, folder) => {
  const { spec } = find(folder, 'Deployment', name);
  const pod = spec.template.spec;
  const labels = spec.template.metadata.labels;

  test('the Deployment refers only to existing objects, and mounts all its volumes', () => {
    find(folder, 'ServiceAccount', pod.serviceAccountName);
    for (const { persistentVolumeClaim } of pod.volumes)
      if (persistentVolumeClaim) find(folder, 'PersistentVolumeClaim', persistentVolumeClaim.claimName);
    const mounted = pod.containers.flatMap(({ volumeMounts = [] }) =>
      volumeMounts.map((each: { name: string }) => each.name),
    );
    expect(new Set(mounted)).toEqual(new Set(pod.volumes.map((volume: { name: string }) => volume.name)));
    expect(selects(spec.selector, labels)).toBe(true);
  });

  test('a rolling update never reduces the number of replicas', () => {
    expect(spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
  });

  test("a process that hangs is killed within 90 s, however long the pod's grace period for transfers is", () => {
    const { periodSeconds, failureThreshold, terminationGracePeriodSeconds } =
      pod.containers[0].livenessProbe;
    expect(terminationGracePeriodSeconds).toBeDefined();
    expect(periodSeconds * failureThreshold + terminationGracePeriodSeconds).toBeLessThanOrEqual(90);
  });

  test('only the autoscaler sets the number of replicas, by CPU utilization', () => {
    const scaler = find(folder, 'HorizontalPodAutoscaler', name).spec;
    expect(scaler.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name });
    // A number here would override the autoscaler at every apply.
    expect(spec).not.toHaveProperty('replicas');
    for (const { resources } of [...pod.containers, ...(pod.initContainers ?? [])])
      expect(resources.requests).toHaveProperty('cpu');
    expect(scaler.minReplicas).toBe(folder.startsWith('overlays/production') ? 2 : 1);
    expect(scaler.maxReplicas).toBeGreaterThan(scaler.minReplicas);
  });

  test('draining nodes takes down at most one replica at a time', () => {
    const budget = find(folder, 'PodDisruptionBudget', name).spec;
    expect(budget.maxUnavailable).toBe(1);
    expect(selects(budget.selector, labels)).toBe(true);
  });

  test('replicas are spread over zones and nodes', () => {
    const keys = pod.topologySpreadConstraints.map((each: { topologyKey: string }) => each.topologyKey);
    expect(keys).toEqual(['topology.kubernetes.io/zone', 'kubernetes.io/hostname']);
    for (const { labelSelector, matchLabelKeys } of pod.topologySpreadConstraints) {
      expect(selects(labelSelector, labels)).toBe(true);
      expect(matchLabelKeys).toContain('app.kubernetes.io/name');
    }
  });
});

test('every Service selects one workload and targets ports of its pods', () => {
  for (const folder of folders)
    for (const { metadata, spec } of allOf(folder, 'Service')) {
      const selected = workloadsOf(folder).filter(({ template }) =>
        selects({ matchLabels: spec.selector }, template.metadata.labels),
      );
      expect(selected, `${folder}: ${metadata.name}`).toHaveLength(1);
      const offered = selected[0]?.template.spec.containers.flatMap(({ ports = [] }) => ports);
      for (const { targetPort } of spec.ports)
        expect(
          offered?.map(({ name }) => name),
          `${folder}: ${metadata.name}`,
        ).toContain(targetPort);
    }
});

describe('files', () => {
  const pod = (folder: string, name: string) => find(folder, 'Deployment', name).spec.template.spec;

  test.each(['homework', 'quiz'])(
    'in production %s stores its files in a bucket, and its replicas run on any node',
    (name) => {
      for (const folder of ['overlays/production', `overlays/production/${name}`]) {
        expect(allOf(folder, 'PersistentVolumeClaim')).toEqual([]);
        expect(pod(folder, name)).not.toHaveProperty('affinity');
        const settings = allOf(folder, 'ConfigMap').find(({ metadata }) =>
          metadata.name.startsWith(`${name}-`),
        );
        expect(settings?.data).toMatchObject({ S3_BUCKET: expect.any(String), S3_PREFIX: `${name}/` });
      }
    },
  );

  test.each(['homework', 'quiz'])(
    'elsewhere %s stores its files on a volume, and its replicas run on one node',
    (name) => {
      for (const folder of ['overlays/all', `services/${name}`]) {
        const [{ spec }] = allOf(folder, 'PersistentVolumeClaim').filter(
          ({ metadata }) => metadata.name === `${name}-files`,
        ) as [Manifest];
        expect(spec.accessModes).toEqual(['ReadWriteOnce']);
        expect(
          pod(folder, name).affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution,
        ).toMatchObject([
          {
            topologyKey: 'kubernetes.io/hostname',
            labelSelector: { matchLabels: { 'app.kubernetes.io/name': name } },
          },
        ]);
        const [{ env, volumeMounts }] = pod(folder, name).containers;
        const volume = volumeMounts.find((each: { name: string }) => each.name === 'files').mountPath;
        for (const key of ['FILES_DIR', 'UPLOAD_DIR'])
          expect(env.find((each: { name: string }) => each.name === key).value).toMatch(
            new RegExp(`^${volume}/`),
          );
      }
    },
  );
});

describe('applying one service', () => {
  const key = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;
  const byKey = (folder: string) => new Map(objectsOf(folder).map((each) => [key(each), each]));

  test.each(processes)(
    'applying %s alone applies the same objects as applying all, and none of other services',
    (name) => {
      for (const [alone, whole] of [
        [`services/${name}`, 'overlays/all'],
        [`overlays/production/${name}`, 'overlays/production'],
      ] as const) {
        const all = byKey(whole);
        const own = objectsOf(alone);
        for (const each of own) expect(all.get(key(each)), `${alone}: ${key(each)}`).toEqual(each);
        expect(own.map(({ metadata }) => metadata.name)).toEqual(
          own.map(() => expect.stringMatching(new RegExp(`^${name}(-|$)`))),
        );
        const kinds = new Set(own.map(({ kind }) => kind));
        for (const kind of ['Deployment', 'Service', 'ServiceAccount', 'ConfigMap', 'NetworkPolicy'])
          expect(kinds, alone).toContain(kind);
      }
    },
  );
});
