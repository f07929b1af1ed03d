import { expect, test } from 'vitest';
import { customViolations } from './customSchemas.ts';
import { find, folders, objectsOf } from './manifests.ts';

const resources = folders.flatMap((folder) =>
  objectsOf(folder).filter(({ apiVersion }) => apiVersion.split('/')[0]?.endsWith('cnpg.io')),
);
const cluster = () => find('platform/postgres-ha', 'Cluster', 'postgres');

test('every resource of CloudNativePG is valid against the schema of its version, and has no unknown field', () => {
  expect(resources.map(({ kind }) => kind).toSorted()).toEqual(['Cluster', 'ObjectStore', 'ScheduledBackup']);
  for (const each of resources)
    expect(customViolations(each), `${each.kind} ${each.metadata.name}`).toEqual([]);
});

test('a wrong type and a misspelled nested field are reported', () => {
  const wrong = structuredClone(cluster());
  wrong.spec.instances = 'three';
  wrong.spec.postgresql.synchronous.dataDurabilty = 'required';
  expect(customViolations(wrong)).toEqual([
    expect.stringContaining('/spec/instances must be integer'),
    expect.stringContaining('dataDurabilty'),
  ]);
});

test('a commit is acknowledged only once it is stored by two of three instances, in different zones', () => {
  const { instances, postgresql, topologySpreadConstraints } = cluster().spec;
  expect(instances).toBe(3);
  expect(postgresql.synchronous).toMatchObject({
    number: 1,
    dataDurability: 'required',
    failoverQuorum: true,
  });
  expect(topologySpreadConstraints).toMatchObject([
    { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
  ]);
});
