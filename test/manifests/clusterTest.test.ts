import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { find } from './manifests.ts';

// test/cluster runs nginx and PgBouncer with the settings that k8s/ prescribes; here they are compared.
const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

async function configOf(file: string, name: string, key: string): Promise<string> {
  const documents = parseAllDocuments(await read(`test/cluster/platform/${file}`)).map((each) => each.toJS());
  return documents.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name).data[key];
}

test('the nginx of the cluster test is configured as the ingress and the controller of production', async () => {
  const config = await configOf('ingress.yaml', 'nginx', 'nginx.conf');
  const value = (directive: string) => new RegExp(`\\b${directive} (.*);`).exec(config)?.[1];
  const prefix = 'nginx.ingress.kubernetes.io/';
  const { annotations } = find('overlays/production', 'Ingress', 'gateway').metadata as unknown as {
    annotations: Record<string, string>;
  };
  expect({
    [`${prefix}proxy-body-size`]: value('client_max_body_size'),
    [`${prefix}proxy-request-buffering`]: value('proxy_request_buffering'),
    [`${prefix}proxy-buffering`]: value('proxy_buffering'),
    [`${prefix}proxy-read-timeout`]: value('proxy_read_timeout')?.replace('s', ''),
    [`${prefix}proxy-send-timeout`]: value('proxy_send_timeout')?.replace('s', ''),
  }).toEqual(annotations);
  const controller = parse(await read('k8s/platform/ingress-nginx/controllerConfig.yaml'));
  expect(controller.data).toMatchObject({ 'enable-underscores-in-headers': 'true' });
  expect(value('underscores_in_headers')).toBe('on');
});

test('the PgBouncer of the cluster test has the settings of k8s/README.md', async () => {
  const config = await configOf('external.yaml', 'pgbouncer', 'pgbouncer.ini');
  const section = /## PgBouncer[\s\S]*?```ini\n([\s\S]*?)```/.exec(await read('k8s/README.md'))?.[1] ?? '';
  const settings = section.split('\n').flatMap((line) => line.replace(/ *;.*/, '') || []);
  expect(settings.length).toBeGreaterThan(2);
  for (const setting of settings.filter((each) => !each.startsWith('default_pool_size')))
    expect(config.split('\n')).toContain(setting);
});
