import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gradeway/local/ports';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { secretToken, secretUrls } from './secretUrls.ts';

const hasNginx = spawnSync('nginx', ['-v']).status === 0;
if (!hasNginx && process.env.CI) throw new Error('CI needs nginx: these tests may not be skipped');

const config = new URL('../../k8s/examples/ingress-nginx/controllerConfig.yaml', import.meta.url);

let directory: string;
let port: number;
let portWithoutGateway: number;
let nginx: ChildProcess;
let gateway: Server;
const requested: string[] = [];

/** A configuration of nginx like the one that ingress-nginx generates from its ConfigMap. */
function configuration(settings: Record<string, string>, gatewayPort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
    daemon off;
    pid ${directory}/pid;
    error_log ${directory}/error.log ${settings['error-log-level']};
    events {}
    http {
      ${temporary.map((kind) => `${kind}_temp_path ${directory}/${kind};`).join(' ')}
      # Variables that only ingress-nginx has.
      map '' $proxy_upstream_name { default gradeway-gateway-http; }
      map '' $proxy_alternative_upstream_name { default ''; }
      map '' $req_id { default $request_id; }
      log_format upstreaminfo '${settings['log-format-upstream']}';
      access_log ${directory}/access.log upstreaminfo;
      ${settings['http-snippet']}
      server {
        listen 127.0.0.1:${port};
        location / { proxy_pass http://127.0.0.1:${gatewayPort}; }
      }
      server {
        listen 127.0.0.1:${portWithoutGateway};
        location / { proxy_pass http://127.0.0.1:1; }
      }
    }`;
}

beforeAll(async () => {
  if (!hasNginx) return;
  directory = await mkdtemp(join(tmpdir(), 'gradeway-nginx-'));
  gateway = createServer((req, res) => {
    requested.push(req.url ?? '');
    res.end();
  });
  await new Promise<void>((resolve) => {
    gateway.listen(0, '127.0.0.1', resolve);
  });
  [port, portWithoutGateway] = [await freePort(), await freePort()];
  const { data } = parse(await readFile(config, 'utf8'));
  const path = join(directory, 'nginx.conf');
  await writeFile(path, configuration(data, (gateway.address() as AddressInfo).port));
  nginx = spawn('nginx', ['-c', path, '-e', join(directory, 'error.log')], { stdio: 'inherit' });
  await waitFor(async () => (await get('/')) === 200);
});
afterAll(async () => {
  if (!hasNginx) return;
  nginx.kill();
  await new Promise((resolve) => nginx.once('exit', resolve));
  gateway.close();
  await rm(directory, { recursive: true, force: true });
});

const get = async (path: string, headers = {}, at = port): Promise<number> =>
  fetch(`http://127.0.0.1:${at}${path}`, { headers }).then(
    ({ status }) => status,
    () => 0,
  );
const logged = (name: 'access' | 'error') => readFile(join(directory, `${name}.log`), 'utf8');

test.skipIf(!hasNginx)('ingress-nginx logs no address of a calendar and no signed link', async () => {
  for (const url of secretUrls) expect(await get(url, { referer: `http://school.example${url}` })).toBe(200);
  expect(requested).toEqual(expect.arrayContaining(secretUrls));
  await get('/api/v3/me/calendar');
  await waitFor(async () => (await logged('access')).includes('/me/calendar'));
  const access = await logged('access');
  expect(access).not.toContain(secretToken);
  expect(access.match(/"GET \S+ HTTP\/1\.1" 200/g)).toEqual(
    expect.arrayContaining([
      '"GET /calendar/REDACTED HTTP/1.1" 200',
      '"GET //Calendar/REDACTED HTTP/1.1" 200',
      '"GET /api/v3/files/quiz/12 HTTP/1.1" 200',
      '"GET /api/v3/notifications/unsubscribe HTTP/1.1" 200',
      '"GET /session/sso/school/callback HTTP/1.1" 200',
      '"GET /api/v3/me/calendar HTTP/1.1" 200',
    ]),
  );
});

test.skipIf(!hasNginx)(
  'while the gateway is unreachable, the logs have the status but no token',
  async () => {
    for (const url of secretUrls) expect(await get(url, {}, portWithoutGateway)).toBe(502);
    const failed = /"GET \/calendar\/REDACTED HTTP\/1\.1" 502/;
    await waitFor(async () => failed.test(await logged('access')));
    expect((await logged('access')) + (await logged('error'))).not.toContain(secretToken);
  },
);
