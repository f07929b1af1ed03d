import { request } from 'node:http';
import { createHttpClient } from '@gradeway/test/httpClient';
import { scrapeSelf } from '@gradeway/test/metrics';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

const count = 'http_server_request_duration_seconds_count';
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ IDLE_TIMEOUT: '300ms', RATE_LIMIT_PER_MINUTE: '40' });
});
afterAll(() => gateway.close());

/** The status of the response; undefined when the connection breaks. */
const get = (path: string, token = gateway.admin): Promise<number | undefined> =>
  createHttpClient({ baseUrl: gateway.url, token })
    .get(path)
    .then(
      ({ status }) => status,
      () => undefined,
    );

/** Sends the raw path, which fetch would normalize. */
const getRaw = (path: string) =>
  new Promise<void>((resolve) => {
    const { port } = new URL(gateway.url);
    request({ host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${gateway.admin}` } })
      .once('response', (answer) => answer.resume().once('end', resolve))
      .end();
  });

test('requests are counted by the path template of the route table, unknown paths as unmatched', async () => {
  gateway.answer((_req, res) => void res.end('{}'));
  const route = { http_route: '/api/v3/admin/homeworks/:id' };
  const before = await scrapeSelf();
  await get('/api/v3/admin/homeworks/12');
  await get('/api/v3/admin/homeworks/a@b.example');
  for (const path of ['/api/v3/admin/homeworks/../12', '/api/v3/x/123456', '/%2e%2e/', '//evil.example/'])
    await getRaw(path);
  await get('/docs/swagger-ui.css');
  await get('/livez');
  const now = await scrapeSelf();
  expect(now.value(count, route)).toBe((before.value(count, route) ?? 0) + 2);
  const routes = new Set(now.find(count).map(({ labels }) => labels.http_route));
  // The other tests of this file request these.
  for (const other of ['/api/v3/admin/homeworks', '/api/v3/me']) routes.delete(other);
  expect(routes).toEqual(new Set(['/api/v3/admin/homeworks/:id', '/docs/*', 'unmatched']));
});

test('upstream failures are counted by service and reason, without disconnected clients', async () => {
  const failures = async () => {
    const now = await scrapeSelf();
    return ['unreachable', 'timeout', 'cut'].map((reason) =>
      now.value('gradeway_upstream_failures_total', { upstream: 'homework', reason }),
    );
  };
  const answered = async () => {
    const labels = { upstream: 'homework', http_response_status_code: 200 };
    return (await scrapeSelf()).value('gradeway_upstream_response_seconds_count', labels) ?? 0;
  };
  const before = await answered();
  gateway.answer((req) => req.socket.destroy());
  expect(await get('/api/v3/admin/homeworks')).toBe(503);
  expect(await failures()).toEqual([1, 0, 0]);
  gateway.answer(() => {});
  expect(await get('/api/v3/admin/homeworks')).toBe(504);
  expect(await failures()).toEqual([1, 1, 0]);
  gateway.answer((_req, res) => {
    res.writeHead(200, { 'Content-Length': '100' }).write('half of it');
    setTimeout(() => res.destroy(), 50);
  });
  expect(await get('/api/v3/admin/homeworks')).toBeUndefined();
  await waitFor(async () => (await failures())[2] === 1);

  // Often enough for IDLE_TIMEOUT, however slow the machine.
  gateway.answer((_req, res) => {
    const drip = setInterval(() => res.write('slowly'), 20);
    res.writeHead(200).once('close', () => clearInterval(drip));
  });
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${gateway.admin}` };
  await fetch(`${gateway.url}/api/v3/admin/homeworks`, { headers, signal: leaving.signal });
  const aborted = async () => (await scrapeSelf()).value('gradeway_http_requests_aborted_total') ?? 0;
  const abortedBefore = await aborted();
  leaving.abort();
  await waitFor(async () => (await aborted()) > abortedBefore);
  expect(await failures()).toEqual([1, 1, 1]);
  expect(await answered()).toBe(before + 2);
});

test('requests above the rate limit are counted', async () => {
  const refused = async () =>
    (await scrapeSelf()).value('gradeway_rate_limit_refusals_total', { limit: 'requests' });
  expect(await refused()).toBe(0);
  gateway.answer((_req, res) => void res.end());
  const hasty = gateway.tokens.sign(2, 'admin');
  const statuses = await Promise.all(Array.from({ length: 42 }, () => get('/api/v3/me', hasty)));
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  expect(await refused()).toBe(2);
});
