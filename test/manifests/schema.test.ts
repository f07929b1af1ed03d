import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { folders, type Manifest, objectsOf } from './manifests.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

// Custom resources have no schema in Kubernetes (customResources.test.ts, rabbitmqHa.test.ts).
const foreign = /^(monitoring\.coreos\.com|\w+\.cnpg\.io|rabbitmq\.com)\//;
const manifests = folders.flatMap((folder) =>
  objectsOf(folder)
    .filter(({ apiVersion }) => !foreign.test(apiVersion))
    .map((manifest) => ({ folder, manifest })),
);

/** The module with the schema and the type of an object's kind. */
const modelsOf = ({ apiVersion }: Manifest): string =>
  apiVersion.startsWith('gateway.networking.k8s.io/')
    ? `@kubernetes-models/gateway-api/${apiVersion}`
    : `kubernetes-models/${apiVersion}`;

const nameOf = ({ kind, metadata }: Manifest) => `${kind} ${metadata.name}`;

/** The violations of the schema of an object's kind. The schemas allow additional fields. */
async function violations(manifest: Manifest): Promise<string[]> {
  const models = await import(/* @vite-ignore */ modelsOf(manifest));
  try {
    new models[manifest.kind](manifest).validate();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/**
 * Compiles each object as a literal of its kind's type and returns the errors, mainly about unknown fields. An API
 * server without strict validation would silently drop those fields.
 */
async function typeErrors(objects: Manifest[]): Promise<string[]> {
  // Below the root, so that the compiler finds the types.
  const directory = await mkdtemp(join(root, 'node_modules/.gradeway-manifests-'));
  const source = objects.flatMap((object, index) => [
    `import type { I${object.kind} as Kind${index} } from '${modelsOf(object)}';`,
    `export const object${index}: Kind${index} = ${JSON.stringify(object)};`,
  ]);
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options =
    '--ignoreConfig --noEmit --strict --skipLibCheck --types node --module nodenext --target es2024';
  try {
    await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
    await writeFile(join(directory, 'objects.ts'), source.join('\n'));
    await run(process.execPath, [compiler, ...options.split(' '), join(directory, 'objects.ts')], {
      cwd: root,
    });
    return [];
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string };
    return stdout
      .trim()
      .split('\n')
      .map((line) =>
        line.replace(/^.*objects\.ts\((\d+),\d+\)/, (_, at) => nameOf(objects[at / 2 - 1] as Manifest)),
      );
  } finally {
    await rm(directory, { recursive: true });
  }
}

describe('all objects of all kustomizations', () => {
  test('an object is valid against the schema of its kind', async () => {
    expect(manifests.length).toBeGreaterThan(150);
    for (const { folder, manifest } of manifests)
      expect(await violations(manifest), `${folder}: ${nameOf(manifest)}`).toEqual([]);
  });

  test('an object has no field that its kind does not define', async () => {
    expect(await typeErrors(manifests.map(({ manifest }) => manifest))).toEqual([]);
  });

  test('an object has a unique name in the namespace gradeway', () => {
    // Dashboards and rules are applied to the namespaces of Grafana and Prometheus; Traefik and the restore check have their own.
    const elsewhere = ['platform/monitoring', 'platform/traefik', 'platform/restore-check'];
    for (const folder of folders.filter((each) => !elsewhere.includes(each))) {
      const names = objectsOf(folder).map(nameOf);
      expect(names, folder).toEqual([...new Set(names)]);
      for (const { kind, metadata } of objectsOf(folder))
        expect(metadata.namespace, `${folder}: ${kind}`).toBe(kind === 'Namespace' ? undefined : 'gradeway');
    }
  });

  test('no object is a Secret', () => {
    expect(manifests.filter(({ manifest }) => manifest.kind === 'Secret')).toEqual([]);
  });
});

describe('these checks', () => {
  const deployment = (container: object): Manifest => ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'tried' },
    spec: {
      selector: { matchLabels: { app: 'tried' } },
      template: {
        metadata: { labels: { app: 'tried' } },
        spec: { containers: [{ name: 'main', ...container }] },
      },
    },
  });

  test('a wrong type is reported', async () => {
    const wrong = deployment({ ports: [{ containerPort: 'http' }] });
    expect(await violations(wrong)).toHaveLength(1);
    expect(await violations(deployment({ ports: [{ containerPort: 8080 }] }))).toEqual([]);
  });

  test('a misspelled nested field is reported', async () => {
    const wrong = deployment({ securityContext: { readOnlyRootFileSystem: true } });
    expect(await typeErrors([deployment({ image: 'x' }), wrong])).toEqual([
      expect.stringMatching(/^Deployment tried: .*readOnlyRootFileSystem/),
    ]);
  });
});
