import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { find } from './manifests.ts';
import { secretToken, secretUrls } from './secretUrls.ts';
import { hasTraefik, startTraefik, type Traefik, traefikConfig } from './startTraefik.ts';

if (!hasTraefik && process.env.CI) throw new Error('CI needs Traefik: these tests may not be skipped');

// In place of Gradeway's gateway, each test answers the requests to its own path.
const host = 'api.gradeway.test';
const handlers = new Map<string, (req: IncomingMessage, res: ServerResponse) => void>();
const requested: string[] = [];
const gateway = createServer((req, res) => {
  requested.push(req.url ?? '');
  const handle = handlers.get(req.url ?? '');
  if (handle) handle(req, res);
  else res.setHeader('x-request-id', 'the-id-of-the-request').end();
});
let traefik: Traefik;

beforeAll(async () => {
  if (!hasTraefik) return;
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  traefik = await startTraefik(host, (gateway.address() as AddressInfo).port);
  await waitFor(async () => (await traefik.get('/')) === 200, 30_000).catch((error) => {
    throw new Error(`${error.message}\n${traefik.log()}`);
  });
}, 60_000);
afterAll(async () => {
  await traefik?.stop();
  gateway.close();
});

/** Answers a path with the headers that arrive. */
async function headersThatArrive(path: string, headers: Record<string, string>) {
  let arrived: IncomingMessage['headers'] = {};
  handlers.set(path, (req, res) => {
    arrived = req.headers;
    res.end();
  });
  expect(await traefik.get(path, headers)).toBe(200);
  return arrived;
}

test('the transfers of the gateway end before a time limit of Traefik', () => {
  for (const name of ['http', 'https']) {
    const { respondingTimeouts, lifeCycle } = traefikConfig.entryPoints[name].transport;
    expect(respondingTimeouts).toMatchObject({ readTimeout: '30m', writeTimeout: '0s' });
    const { terminationGracePeriodSeconds } = find('platform/traefik', 'Deployment', 'traefik').spec.template
      .spec;
    expect(lifeCycle).toEqual({ requestAcceptGraceTimeout: '10s', graceTimeOut: '5m' });
    expect(terminationGracePeriodSeconds).toBeGreaterThan(10 + 5 * 60);
  }
});

test('Traefik closes an idle connection before the gateway does', async () => {
  const main = await readFile(new URL('../../gateway/src/main.ts', import.meta.url), 'utf8');
  const [, keptMs] = /keepAliveMs: ([\d_]+)/.exec(main) ?? [];
  const { idleConnTimeout } = traefikConfig.serversTransport.forwardingTimeouts;
  expect(Number.parseInt(idleConnTimeout, 10) * 1000).toBeLessThan(Number(keptMs?.replace('_', '')));
});

test('each listener of the Gateway has an entry point with its port', () => {
  for (const { name, port } of find('overlays/production', 'Gateway', 'gateway').spec.listeners)
    expect(traefikConfig.entryPoints[name].address).toBe(`:${port}`);
});

test.skipIf(!hasTraefik)('the header device_token arrives', async () => {
  const sent = { device_token: 'abc', device_type: 'app' };
  expect(await headersThatArrive('/device', sent)).toMatchObject(sent);
});

test.skipIf(!hasTraefik)(
  'the gateway sees the address of the client, not one that the client claims',
  async () => {
    const claimed = '203.0.113.9';
    const arrived = await headersThatArrive('/address', {
      'x-forwarded-for': claimed,
      'x-real-ip': claimed,
      x_forwarded_for: claimed,
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'evil.example',
    });
    expect(arrived).toMatchObject({
      host,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': host,
      'x-forwarded-proto': 'https',
    });
    expect(JSON.stringify(arrived)).not.toContain(claimed);
  },
);

test.skipIf(!hasTraefik)('an upload reaches the gateway while the client is still sending it', async () => {
  const chunk = Buffer.alloc(1024 * 1024, 'x');
  let received = 0;
  handlers.set('/upload', (req, res) => {
    req.on('data', (bytes) => {
      received += bytes.length;
    });
    req.on('end', () => res.end());
  });
  const req = traefik.request('/upload', {
    method: 'POST',
    headers: { 'content-length': `${64 * chunk.length}` },
  });
  req.write(chunk);
  await waitFor(() => Promise.resolve(received === chunk.length));
  for (let sent = 1; sent < 64; sent += 1) if (!req.write(chunk)) await once(req, 'drain');
  const [response] = await once(req.end(), 'response');
  response.resume();
  expect({ status: response.statusCode, received }).toEqual({ status: 200, received: 64 * chunk.length });
});

test.skipIf(!hasTraefik)(
  'a client that is not read stops sending: Traefik keeps no upload in memory or on disk',
  async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    let paused: IncomingMessage | undefined;
    handlers.set('/paused', (req, res) => {
      paused = req.pause();
      req.on('end', () => res.end());
    });
    const req = traefik.request('/paused', {
      method: 'POST',
      headers: { 'content-length': `${64 * chunk.length}` },
    });
    let sent = 0;
    const send = (): void => {
      if (sent === 64) return void req.end();
      sent += 1;
      req.write(chunk, send);
    };
    send();
    await waitFor(() => Promise.resolve(paused !== undefined));
    // The buffers of the sockets hold a few MB. Without progress for a second, they are full.
    await waitFor(async () => {
      const before = sent;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return sent === before;
    }, 15_000);
    expect(sent).toBeLessThan(32);
    paused?.resume();
    const [response] = await once(req, 'response');
    response.resume();
    expect(response.statusCode).toBe(200);
  },
);

test.skipIf(!hasTraefik)('a response reaches the client while the gateway is still writing it', async () => {
  let finish = () => {};
  handlers.set('/archive.zip', (_, res) => {
    res.setHeader('content-type', 'application/zip').write('first');
    finish = () => res.end('last');
  });
  const [response] = await once(traefik.request('/archive.zip').end(), 'response');
  expect(String((await once(response, 'data'))[0])).toBe('first');
  finish();
  expect(String((await once(response, 'data'))[0])).toBe('last');
});

test.skipIf(!hasTraefik)('paths arrive unchanged, or in an equivalent encoding', async () => {
  const unchanged = ['/a//b', '/a/../b', '/a%2Fb', '/a/%5C%00', '/a%25'].map((path) => [path, path] as const);
  const encoded = [
    ['/c/%2e%2e/b', '/c/../b'],
    ['/c;b?c=d;e', '/c;b?c=d%3Be'],
  ] as const;
  for (const [sent, arrived] of [...unchanged, ...encoded]) {
    expect(await traefik.get(sent)).toBe(200);
    expect(requested.at(-1)).toBe(arrived);
  }
});

test.skipIf(!hasTraefik)('HTTP is redirected to HTTPS', async () => {
  const options = { host: '127.0.0.1', port: traefik.ports.http, path: '/api/v3/me?x=1', headers: { host } };
  const [response] = await once(request(options).end(), 'response');
  response.resume();
  expect(response.statusCode).toBe(308);
  expect(response.headers.location).toBe(`https://${host}/api/v3/me?x=1`);
});

test.skipIf(!hasTraefik)(
  'Traefik logs no address of a calendar and no signed link, and the id of each request',
  async () => {
    for (const url of secretUrls)
      expect(await traefik.get(url, { referer: `https://${host}${url}` })).toBe(200);
    expect(requested).toEqual(expect.arrayContaining(secretUrls));
    await waitFor(async () => accessLog().length >= secretUrls.length);
    expect(traefik.log()).not.toContain(secretToken);
    expect(accessLog().at(-1)).toMatchObject({
      DownstreamStatus: 200,
      RequestMethod: 'GET',
      ClientHost: '127.0.0.1',
      'downstream_X-Request-Id': 'the-id-of-the-request',
    });
    expect(accessLog().at(-1)).not.toHaveProperty('RequestPath');
  },
);

test.skipIf(!hasTraefik)(
  'while the gateway is unreachable, the log has the status but no token',
  async () => {
    const broken = await startTraefik(host, 1);
    try {
      for (const url of secretUrls) {
        await waitFor(async () => (await broken.get(url)) === 502);
      }
      await waitFor(async () => broken.log().includes('"DownstreamStatus":502'));
      expect(broken.log()).not.toContain(secretToken);
    } finally {
      await broken.stop();
    }
  },
);

const accessLog = (): Record<string, unknown>[] =>
  traefik
    .log()
    .split('\n')
    .filter((line) => line.includes('"DownstreamStatus"'))
    .map((line) => JSON.parse(line));
