import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createHttpClient } from '@gradeway/test/httpClient';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    IDLE_TIMEOUT: '300ms',
    BODY_TIMEOUT: '300ms',
    CORS_ORIGINS: 'https://school.example',
  });
});
afterAll(() => gateway.close());

const asAdmin = () => createHttpClient({ baseUrl: gateway.url, token: gateway.admin });

/** The head of the response to bytes that are sent unchanged. */
async function headOf(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  return (await text(socket)).split('\r\n\r\n')[0] ?? '';
}

const host = 'Host: gradeway.example';

test.each([
  ['a head that cannot be parsed', 'nonsense\r\n\r\n', 400, 'malformed'],
  ['two Host headers', `GET /livez HTTP/1.1\r\n${host}\r\n${host}\r\n\r\n`, 400, 'malformed'],
  [
    'a head of 20 kB',
    `GET / HTTP/1.1\r\n${host}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'header_too_large',
  ],
  [
    'a body that does not arrive',
    `POST /api/v3/login HTTP/1.1\r\n${host}\r\nContent-Length: 5\r\n\r\n{`,
    408,
    'request_timeout',
  ],
])('a request with %s has an error code', async (_, bytes, status, code) => {
  const head = await headOf(bytes);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(head).toMatch(new RegExp(`^Error-Code: ${code}$`, 'm'));
});

test('every error of the gateway itself has an error code', async () => {
  const { request } = asAdmin();
  const anonymous = createHttpClient({ baseUrl: gateway.url });
  const answers = [
    await anonymous.get('/api/v3/me'),
    await request('GET', '/api/v3/nothing'),
    await request('PUT', '/api/v3/login'),
    await request('POST', '/api/v3/admin/courses', { body: 'x'.repeat(300_000) }),
    await anonymous.post('/session', {}, { origin: 'https://evil.example' }),
  ];
  gateway.answer((req) => req.socket.destroy());
  answers.push(await request('POST', '/api/v3/logout'));
  gateway.answer(() => {});
  answers.push(await request('GET', '/api/v3/me'));
  expect(answers.map(({ status, headers }) => [status, headers.get('error-code')])).toEqual([
    [401, 'unauthenticated'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [413, 'too_large'],
    [403, 'not_own_page'],
    [503, 'unavailable'],
    [504, 'timeout'],
  ]);
});

test('the error code of a service reaches pages of other origins', async () => {
  gateway.answer((_req, res) => res.writeHead(409, { 'Error-Code': 'claimed' }).end('{}'));
  const { headers } = await asAdmin().get('/api/v3/me', { origin: 'https://school.example' });
  expect(headers.get('error-code')).toBe('claimed');
  expect(headers.get('access-control-expose-headers')?.split(',')).toContain('Error-Code');
});
