import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shareResult } from '../src/forwarding/shareResult.ts';
import { upstreamReady } from '../src/forwarding/upstreamReady.ts';
import { startGateway } from './testGateway.ts';

test('a connection to a service is reused, and closed by the gateway when idle', async () => {
  const gateway = await startGateway();
  const client = createHttpClient({ baseUrl: gateway.url, token: gateway.admin });
  const ask = async () => {
    await client.get('/api/v3/me');
    return gateway.last().socket;
  };
  const socket = await ask();
  expect(await ask()).toBe(socket);
  await waitFor(() => socket.destroyed);
  expect(await ask()).not.toBe(socket);
  await gateway.close();
});

test('readiness checks within a second share one result', async () => {
  let calls = 0;
  const check = shareResult(async () => {
    calls += 1;
    return calls;
  }, 300);
  expect(await Promise.all(Array.from({ length: 500 }, check))).toEqual(Array(500).fill(1));
  await waitFor(async () => (await check()) === 2);
});

describe('upstreamReady', () => {
  let server: Server;
  let answer: RequestListener;
  let connections = 0;
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const notReady = (missing: string): RequestListener => {
    return (_req, res) => res.writeHead(503).end(JSON.stringify({ status: 'not ready', missing: [missing] }));
  };
  beforeAll(async () => {
    server = createServer((req, res) => answer(req, res));
    server.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('every readiness check opens a new connection, which a Kubernetes Service routes to a ready replica', async () => {
    answer = (_req, res) => res.end('{"status":"ok"}');
    const before = connections;
    for (let count = 0; count < 3; count += 1) expect(await upstreamReady(url())).toBe(true);
    expect(connections - before).toBe(3);
  });

  test('a service with a failed check is not ready, and one with a replica that is shutting down is ready', async () => {
    answer = notReady('database');
    expect(await upstreamReady(url())).toBe(false);
    answer = notReady('shutting down');
    expect(await upstreamReady(url())).toBe(true);
  });
});
