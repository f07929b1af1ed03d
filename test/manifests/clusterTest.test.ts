import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

// test/cluster runs PgBouncer with the settings that k8s/ prescribes; here they are compared.
const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

async function configOf(file: string, name: string, key: string): Promise<string> {
  const documents = parseAllDocuments(await read(`test/cluster/platform/${file}`)).map((each) => each.toJS());
  return documents.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name).data[key];
}

test('the PgBouncer of the cluster test has the settings of k8s/README.md', async () => {
  const config = await configOf('external.yaml', 'pgbouncer', 'pgbouncer.ini');
  const section = /## PgBouncer[\s\S]*?```ini\n([\s\S]*?)```/.exec(await read('k8s/README.md'))?.[1] ?? '';
  const settings = section.split('\n').flatMap((line) => line.replace(/ *;.*/, '') || []);
  expect(settings.length).toBeGreaterThan(2);
  for (const setting of settings.filter((each) => !each.startsWith('default_pool_size')))
    expect(config.split('\n')).toContain(setting);
});
