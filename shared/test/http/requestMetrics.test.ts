import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createHttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { Router } from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttpApp } from '../../src/http/app.ts';
import { type HttpServer, listen } from '../../src/http/server.ts';
import { Health } from '../../src/process/health.ts';
import { createLogger } from '../../src/process/logger.ts';
import { scrapeSelf } from '../metrics/scrapeSelf.ts';

const count = 'http_server_request_duration_seconds_count';
let server: HttpServer;
let url: string;
const slowResponse = Promise.withResolvers<void>();

beforeAll(async () => {
  const routes = Router();
  routes.get('/things/:id', (req, res) => void res.json({ id: req.params.id }));
  routes.get('/broken/:id', () => {
    throw new Error('the handler fails');
  });
  routes.get('/slow/:id', async (_req, res) => {
    await slowResponse.promise;
    res.json({});
  });
  routes.post('/sized', (req, res) => {
    req.resume().once('end', () => res.json({ text: 'x'.repeat(50_000) }));
  });
  const dependencies = { log: createLogger('test', 'silent'), health: new Health(), requestTimeoutMs: 5_000 };
  server = await listen(createHttpApp(dependencies, [routes]), { host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.close());

const request = (method: string, path: string, body?: string) =>
  createHttpClient({ baseUrl: url }).request(method, path, { body });
const get = (path: string) => request('GET', path);

test('requests are counted by route template and status', async () => {
  const ok = { http_request_method: 'GET', http_route: '/things/:id', http_response_status_code: 200 };
  const broken = { http_route: '/broken/:id', http_response_status_code: 500 };
  const before = await scrapeSelf();
  for (const id of [1, 2, 3]) await get(`/things/${id}`);
  await get('/broken/7');
  const now = await scrapeSelf();
  expect(now.value(count, ok)).toBe((before.value(count, ok) ?? 0) + 3);
  expect(now.value(count, broken)).toBe((before.value(count, broken) ?? 0) + 1);
});

test('requests that match no route share one series', async () => {
  const paths = ['/things/1/2', '/things', '/%00', '/a@b.example', '/things/%zz', `/${crypto.randomUUID()}`];
  for (const path of paths) await get(path);
  await request('PROPFIND', '/things/1');
  const routes = (await scrapeSelf()).find(count).map(({ labels }) => labels);
  const known = ['/things/:id', '/broken/:id', '/slow/:id', '/sized', 'unmatched'];
  for (const { http_route } of routes) expect(known).toContain(http_route);
  expect(routes.map(({ http_route }) => http_route)).toContain('unmatched');
  expect(routes.map(({ http_request_method }) => http_request_method)).toContain('_OTHER');
});

test('a request is active until its client disconnects, and is then counted only as aborted', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET /slow/1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await waitFor(async () => (await scrapeSelf()).value('http_server_active_requests') === 1);
  socket.destroy();
  const aborted = () =>
    scrapeSelf().then((now) =>
      now.value('gradeway_http_requests_aborted_total', { http_route: '/slow/:id' }),
    );
  await waitFor(async () => (await aborted()) === 1);
  slowResponse.resolve();
  await nextTurn();
  const now = await scrapeSelf();
  expect(now.value('http_server_active_requests')).toBe(0);
  expect(now.value(count, { http_route: '/slow/:id' })).toBeUndefined();
});

test('bytes are counted by route, even on a connection with many requests', async () => {
  await request('POST', '/sized', 'y'.repeat(20_000));
  await get('/things/1');
  const now = await scrapeSelf();
  const bytes = (direction: string, http_route: string) =>
    now.value(`gradeway_http_${direction}_bytes_total`, { http_route }) ?? 0;
  expect(bytes('received', '/sized')).toBeGreaterThan(20_000);
  expect(bytes('received', '/sized')).toBeLessThan(22_000);
  expect(bytes('sent', '/sized')).toBeGreaterThan(50_000);
  expect(bytes('sent', '/things/:id')).toBeLessThan(10_000);
});
