import { readdirSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect, test } from 'vitest';
import { find, folders, type Manifest, objectsOf } from './manifests.ts';

type Schema = Record<string, unknown>;

const directory = new URL('crds/', import.meta.url);

/** Refuses fields that a schema does not define, as an API server with strict validation does. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (value === null || typeof value !== 'object') return value;
  const schema = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, strict(each)]));
  const isClosed = typeof schema.properties === 'object' && schema.type === 'object';
  return isClosed && !schema['x-kubernetes-preserve-unknown-fields']
    ? { additionalProperties: false, ...schema }
    : schema;
}

// Custom keywords of Kubernetes, and its formats of numbers, are no JSON Schema.
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
const validators = new Map<string, ValidateFunction>(
  readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .map((name) => {
      const { schema } = JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as { schema: Schema };
      return [name.replace('.json', ''), ajv.compile(strict(schema) as Schema)];
    }),
);

function violations({ apiVersion, kind, ...rest }: Manifest): string[] {
  const validate = validators.get(`${apiVersion.replace('/', '_')}_${kind}`);
  if (!validate) return [`there is no schema of ${apiVersion} ${kind}`];
  validate({ apiVersion, kind, ...rest });
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

const resources = folders.flatMap((folder) =>
  objectsOf(folder).filter(({ apiVersion }) => apiVersion.split('/')[0]?.endsWith('cnpg.io')),
);
const cluster = () => find('platform/postgres-ha', 'Cluster', 'postgres');

test('every resource of CloudNativePG is valid against the schema of its version, and has no unknown field', () => {
  expect(resources.map(({ kind }) => kind).toSorted()).toEqual(['Cluster', 'ObjectStore', 'ScheduledBackup']);
  for (const each of resources) expect(violations(each), `${each.kind} ${each.metadata.name}`).toEqual([]);
});

test('a wrong type and a misspelled nested field are reported', () => {
  const wrong = structuredClone(cluster());
  wrong.spec.instances = 'three';
  wrong.spec.postgresql.synchronous.dataDurabilty = 'required';
  expect(violations(wrong)).toEqual([
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
