import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createHttpClient } from '@gradeway/test/httpClient';
import { memoryKeptBy } from '@gradeway/test/memoryKeptBy';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import { createOpenRequests, type OpenRequests } from '../src/limits/openRequests.ts';
import { createServiceSlots } from '../src/limits/serviceSlots.ts';
import { startGateway } from './testGateway.ts';

test('open requests are limited by account and by address, with Retry-After', async () => {
  const gateway = await startGateway({ OPEN_REQUESTS_PER_USER: '2', OPEN_REQUESTS_PER_ADDRESS: '3' });
  const open: ServerResponse[] = [];
  gateway.answer((_req, res) => void open.push(res));
  const clientOf = (token?: string) => createHttpClient({ baseUrl: gateway.url, token });
  const user = (id: number) => clientOf(gateway.tokens.sign(id, 'user'));

  const held = [user(1).get('/api/v3/me'), user(1).get('/api/v3/courses')];
  await waitFor(() => open.length === 2);
  const refused = await user(1).get('/api/v3/me');
  expect([refused.status, refused.body, refused.headers.get('retry-after')]).toEqual([
    429,
    { message: 'Too Many Requests', errors: null },
    '1',
  ]);
  held.push(user(2).get('/api/v3/me'));
  for (let count = 0; count < 3; count += 1) held.push(clientOf().post('/api/v3/login', {}));
  await waitFor(() => open.length === 6);
  expect((await clientOf().post('/api/v3/login', {})).status).toBe(429);

  for (const res of open.splice(0)) res.end('{}');
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array(6).fill(200));
  const again = user(1).get('/api/v3/me');
  await waitFor(() => open.length === 1);
  open[0]?.end('{}');
  expect((await again).status).toBe(200);
  await gateway.close();
});

test('the documentation counts towards the rate limit', async () => {
  const gateway = await startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
  const client = createHttpClient({ baseUrl: gateway.url });
  const statuses = [];
  for (const path of [
    '/docs',
    '/docs/swagger-ui.css',
    '/api/v3/openapi.json',
    '/docs',
    '/api/v3/openapi.json',
  ])
    statuses.push((await client.get(path)).status);
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  await gateway.close();
});

test('a request waiting for a connection gets a response within IDLE_TIMEOUT, and succeeds if it gets one', async () => {
  const slots = createServiceSlots(1, 300);
  const first = response();
  expect(await slots.enter(first.res)).toBe(true);
  await expect(slots.enter(response().res)).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'Retry-After': '2' },
  });
  const [second, third] = [response(), response()];
  const entered = [slots.enter(second.res), slots.enter(third.res)];
  second.close();
  first.close();
  expect(await Promise.all(entered)).toEqual([false, true]);
  third.close();
  expect(await slots.enter(response().res)).toBe(true);
});

test('the count of a client without open requests restarts at zero, even among many other clients', () => {
  const open = createOpenRequests();
  const [own, other] = [response(), response()];
  open.hold('client', 1, own.res);
  serve(open, 3_000, 3_000);
  const hold = ({ res }: ReturnType<typeof response>) => open.hold('client', 1, res);
  expect(() => hold(other)).toThrow(expect.objectContaining({ code: 'too_many_requests' }));
  own.close();
  hold(other);
  expect(() => hold(response())).toThrow();
});

test('clients without open requests are forgotten', () => {
  const open = createOpenRequests();
  expect(memoryKeptBy(() => serve(open, 200_000, 200_000))).toBeLessThan(2_000_000);
});

/** Opens and ends requests from several clients in turn. */
function serve({ hold }: OpenRequests, requests: number, clients: number): void {
  for (let count = 0; count < requests; count += 1) {
    const { res, close } = response();
    hold(`client ${count % clients}`, 1, res);
    close();
  }
}

/** A response that the test ends. */
function response() {
  const res = Object.assign(new EventEmitter(), { closed: false, locals: {} });
  const close = () => {
    res.closed = true;
    res.emit('close');
  };
  return { res: res as unknown as Parameters<ReturnType<typeof createServiceSlots>['enter']>[0], close };
}

test('beyond MAX_IDLE_CONNECTIONS the longest idle connection is closed, never one with a request', async () => {
  const gateway = await startGateway({ MAX_IDLE_CONNECTIONS: '5' });
  let busy: ServerResponse | undefined;
  gateway.answer((_req, res) => {
    busy = res;
  });
  const client = createHttpClient({ baseUrl: gateway.url, token: gateway.admin });
  const answer = client.get('/api/v3/me');
  await waitFor(() => busy);
  const sockets: Socket[] = [];
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {});
    socket.resume();
    sockets.push(socket);
    await new Promise((resolve) => socket.once('connect', resolve));
  }
  await waitFor(() => sockets.filter(({ destroyed }) => destroyed).length >= 15);
  expect(sockets.slice(0, 15).every(({ destroyed }) => destroyed)).toBe(true);
  expect(sockets.slice(15).some(({ destroyed }) => destroyed)).toBe(false);
  busy?.end('{}');
  expect((await answer).status).toBe(200);
  for (const socket of sockets) socket.destroy();
  await gateway.close();
});
