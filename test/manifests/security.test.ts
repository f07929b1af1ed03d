import type { IContainer } from 'kubernetes-models/v1';
import { describe, expect, test } from 'vitest';
import { everyPlace, find, folders, objectsOf, workloadsOf } from './manifests.ts';

const workloads = folders.flatMap((folder) =>
  workloadsOf(folder).map(({ name, template: { spec } }) => ({ folder, name, spec })),
);

const containersOf = (spec: (typeof workloads)[number]['spec']): IContainer[] => [
  ...(spec.initContainers ?? []),
  ...spec.containers,
];

// https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
describe.each(workloads)('$name of $folder by the standard "restricted"', ({ folder, spec }) => {
  test('containers run as an unprivileged user without capabilities', () => {
    expect(spec.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: expect.any(Number),
      seccompProfile: { type: 'RuntimeDefault' },
    });
    expect(spec.securityContext?.runAsUser).toBeGreaterThan(0);
    for (const { securityContext } of containersOf(spec)) {
      expect(securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(securityContext).not.toHaveProperty('privileged');
      expect(securityContext?.capabilities).not.toHaveProperty('add');
    }
  });

  test('pods share neither namespaces nor directories nor ports with their node', () => {
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'hostUsers'])
      expect(spec).not.toHaveProperty(field);
    for (const { ports = [] } of containersOf(spec))
      for (const port of ports) expect(port).not.toHaveProperty('hostPort');
    const kinds = (spec.volumes ?? []).flatMap(({ name: _, ...source }) => Object.keys(source));
    const allowed = [
      'configMap',
      'csi',
      'downwardAPI',
      'emptyDir',
      'ephemeral',
      'persistentVolumeClaim',
      'projected',
      'secret',
    ];
    expect(allowed).toEqual(expect.arrayContaining(kinds));
  });

  test('pods have a memory limit and, except for Traefik, which reads its routes, no service account token', () => {
    const hasToken = spec.automountServiceAccountToken ?? true;
    expect(hasToken).toBe(folder === 'platform/traefik');
    for (const { name, resources } of containersOf(spec)) {
      expect(resources?.limits, name).toHaveProperty('memory');
      expect(resources?.requests, name).toMatchObject({
        cpu: expect.any(String),
        memory: expect.any(String),
      });
    }
  });
});

describe.each(everyPlace)('%s as of %s', (name, folder) => {
  const spec = find(folder, 'Deployment', name).spec.template.spec;

  test('containers write only to volumes with a size limit', () => {
    for (const { securityContext } of containersOf(spec))
      expect(securityContext?.readOnlyRootFilesystem).toBe(true);
    const temporary = spec.volumes.filter((volume: object) => 'emptyDir' in volume);
    expect(temporary.length).toBeGreaterThan(0);
    for (const { emptyDir } of temporary) expect(emptyDir.sizeLimit).toMatch(/^\d+[MG]i$/);
  });

  test('the user of the container can write to its volumes', () => {
    expect(spec.securityContext).toMatchObject({ runAsUser: 1000, fsGroup: 1000 });
  });
});

test('every Namespace enforces the standard "restricted"', () => {
  const namespaces = folders.flatMap(objectsOf).filter(({ kind }) => kind === 'Namespace');
  expect(namespaces.length).toBeGreaterThan(2);
  for (const { metadata } of namespaces)
    expect(metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
});
