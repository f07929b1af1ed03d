import { readdirSync, readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import type { Manifest } from './manifests.ts';

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

/** The violations of the schema of a custom resource, including unknown fields. */
export function customViolations({ apiVersion, kind, ...rest }: Manifest): string[] {
  const validate = validators.get(`${apiVersion.replace('/', '_')}_${kind}`);
  if (!validate) return [`there is no schema of ${apiVersion} ${kind}`];
  validate({ apiVersion, kind, ...rest });
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}
