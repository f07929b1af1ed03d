import { request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { createHttpClient } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ IDLE_TIMEOUT: '500ms', TOTAL_TIMEOUT: '1500ms', MAX_UPLOAD_BYTES: '1000' });
});
beforeEach(() => {
  gateway.answer((_req, res) => {
    res.setHeader('Content-Type', 'application/json').end('{"data":"from the service"}');
  });
});
afterAll(() => gateway.close());

const client = ({ url } = gateway) => createHttpClient({ baseUrl: url });
const get = (path: string, headers?: Record<string, string>) => client().get(path, headers);
const asAdmin = () => ({ authorization: `Bearer ${gateway.admin}` });
/** Sends bytes unchanged, and returns everything that the gateway sends until it closes the connection. */
function sendRaw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(bytes));
  return text(socket);
}
/** The number of simultaneous logins that got each status. */
async function simultaneousLogins(limited: TestGateway, count: number): Promise<Record<number, number>> {
  const answers = await Promise.all(
    Array.from({ length: count }, () => client(limited).post('/api/v3/login')),
  );
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
const unauthorized = { message: 'UnauthorizedRequest', errors: null };

describe('changes to a rubric', () => {
  test.each(['PUT', 'DELETE'])(
    '%s of a rubric waits longer for the service than other requests',
    async (method) => {
      // This delay is deliberate: longer than the limit of other requests.
      gateway.answer((_req, res) => void setTimeout(() => res.writeHead(200).end(), 1_700));
      const send = (path: string) => client().request(method, path, { headers: asAdmin() });
      expect((await send('/api/v3/grading/quizzes/1/rubric')).status).toBe(200);
      expect((await send('/api/v3/grading/homeworks/1/rubric')).status).toBe(200);
      expect((await send('/api/v3/grading/quizzes/submissions/1/claim')).status).toBe(503);
    },
  );
});

describe('authentication', () => {
  test('a valid token lets the request through, with a generated request id', async () => {
    const answer = await get('/api/v3/me', asAdmin());
    expect([answer.status, answer.body]).toEqual([200, { data: 'from the service' }]);
    expect(answer.headers.get('x-request-id')).toBe(gateway.last().headers['x-request-id']);
  });

  test('a token is required on existing and unknown paths, regardless of Accept (D2, D3)', async () => {
    for (const path of ['/api/v3/me', '/api/v3/nothing-here', '/api/v3/admin/homeworks']) {
      const answer = await get(path, { accept: 'text/html' });
      expect([answer.status, answer.body]).toEqual([401, unauthorized]);
    }
  });

  test.each([
    ['that is not a JWT', () => 'abc.def.ghi'],
    ['without a valid signature', () => gateway.admin.replace(/[^.]+$/, '')],
    [
      'with a different payload',
      () => gateway.admin.replace(/\.[^.]+\./, `.${btoa('{"sub":"1","role":"admin"}')}.`),
    ],
    ['that expired', () => gateway.tokens.sign(1, 'admin', { exp: 1 })],
    ['for another audience', () => gateway.tokens.sign(1, 'admin', { aud: 'receipts' })],
    ['of another issuer', () => gateway.tokens.sign(1, 'admin', { iss: 'other' })],
    ['of another type', () => gateway.tokens.sign(1, 'admin', {}, { typ: 'JWT' })],
    ['with a critical extension', () => gateway.tokens.sign(1, 'admin', {}, { crit: ['x'], x: 1 })],
    ['without a subject', () => gateway.tokens.sign(1, 'admin', { sub: '' })],
    ['with an unknown role', () => gateway.tokens.sign(1, 'owner' as never)],
    ['signed with an unknown key', () => gateway.tokens.sign(1, 'admin', {}, { kid: 'other' })],
    ['of ten thousand characters', () => 'a'.repeat(10_000)],
  ])('a token %s is refused', async (_, token) => {
    const answer = await get('/api/v3/me', { authorization: `Bearer ${token()}` });
    expect([answer.status, answer.body]).toEqual([401, unauthorized]);
  });

  test('a token is refused as soon as its session is revoked', async () => {
    const token = gateway.tokens.sign(77, 'user');
    expect((await get('/api/v3/me', { authorization: `Bearer ${token}` })).status).toBe(200);
    gateway.revoked.add(77);
    expect((await get('/api/v3/me', { authorization: `Bearer ${token}` })).status).toBe(401);
  });

  test('a token in a cookie or in the query is ignored', async () => {
    expect(
      (await get(`/api/v3/me?access_token=${gateway.admin}`, { cookie: `token=${gateway.admin}` })).status,
    ).toBe(401);
  });
});

describe('client headers', () => {
  test('identity, forwarding and trace headers sent by a client are not forwarded to services', async () => {
    await get('/api/v3/me', {
      ...asAdmin(),
      'x-user-id': '1',
      'x-role': 'admin',
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      'x-request-id': '00000000-0000-0000-0000-000000000000',
      forwarded: 'for=1.2.3.4',
      traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      cookie: 'a=b',
      'x-http-method-override': 'DELETE',
    });
    const { headers } = gateway.last();
    expect(headers['x-forwarded-for']).toBe('127.0.0.1');
    expect(headers['x-forwarded-proto']).toBe('http');
    expect(headers['x-forwarded-host']).toBe(new URL(gateway.url).host);
    expect(headers['x-request-id']).not.toContain('00000000-0000');
    for (const name of [
      'x-user-id',
      'x-role',
      'forwarded',
      'traceparent',
      'cookie',
      'x-http-method-override',
    ])
      expect(headers[name]).toBeUndefined();
  });

  test('documented headers are forwarded to the service', async () => {
    const known = {
      device_type: 'app',
      device_token: 'abc',
      'device-name': 'Phone',
      'device-token': 'def',
      'device-type': 'web',
      'idempotency-key': 'k',
      'if-match': '"1"',
    };
    await get('/api/v3/me', { ...asAdmin(), ...known });
    expect(gateway.last().headers).toMatchObject(known);
  });
});

describe('a request that is refused at the gateway', () => {
  test('the gateway responds with 404 to an unknown path with a valid token', async () => {
    const answer = await get('/api/v3/nothing-here', asAdmin());
    expect([answer.status, answer.body]).toEqual([404, { message: 'Not Found', errors: null }]);
  });

  test('the gateway responds with 405 to an unsupported method, with the supported methods in Allow', async () => {
    const answer = await get('/api/v3/login');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(answer.body).toEqual({ message: 'Method Not Allowed', errors: null });
  });

  test('the gateway responds with 413 to a Content-Length above the limit', async () => {
    const body = Buffer.alloc(2 * 1024 * 1024);
    const answer = await client().post('/api/v3/quiz/submit-pdf', body, asAdmin());
    expect([answer.status, answer.body]).toEqual([413, { message: 'Payload Too Large', errors: null }]);
  });

  const login = (headers: string[], body = '') =>
    ['POST /api/v3/login HTTP/1.1', 'Content-Type: application/json', ...headers, '', body].join('\r\n');
  const host = 'Host: school.example';
  const chunked = '2\r\n{}\r\n0\r\n\r\n';
  test.each([
    ['is no HTTP', 'NONSENSE\r\n\r\n'],
    ['has no Host header', 'GET /livez HTTP/1.1\r\n\r\n'],
    ['has two Host headers', login([host, 'Content-Length: 2', 'host: evil.example'], '{}')],
    ['has the same Host twice', login([host, host, 'Content-Length: 2'], '{}')],
    ['is a GET with two Host headers', `GET /livez HTTP/1.1\r\n${host}\r\n${host}\r\n\r\n`],
    [
      'has a transfer coding in addition to chunked',
      login([host, 'Transfer-Encoding: gzip, chunked'], chunked),
    ],
    [
      'has two Transfer-Encoding headers',
      login([host, 'Transfer-Encoding: gzip', 'Transfer-Encoding: chunked'], chunked),
    ],
    ['is chunked twice', login([host, 'Transfer-Encoding: chunked, chunked'], chunked)],
    ['is not chunked', login([host, 'Transfer-Encoding: gzip'], chunked)],
    ['has the identity coding', login([host, 'Transfer-Encoding: identity'], '')],
    [
      'is chunked and has a length',
      login([host, 'Transfer-Encoding: chunked', 'Content-Length: 12'], chunked),
    ],
    ['has two lengths', login([host, 'Content-Length: 2', 'Content-Length: 12'], '{}')],
  ])('an HTTP request that %s is 400 as JSON, and its connection is closed', async (_, bytes) => {
    expect(await sendRaw(bytes)).toMatch(/^HTTP\/1.1 400 [\s\S]*\{"message":"Bad Request","errors":null\}$/);
  });
});

test('an HTTP/1.0 request needs no Host header', async () => {
  expect(await sendRaw('GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
});

describe('forwarding', () => {
  test('a silent service leads to 504', async () => {
    gateway.answer(() => {});
    const answer = await get('/api/v3/me', asAdmin());
    expect([answer.status, answer.body]).toEqual([504, { message: 'Gateway Timeout', errors: null }]);
  });

  test('a response that never ends is aborted, not completed', async () => {
    gateway.answer((_req, res) => {
      const drip = setInterval(() => res.write('.'), 100);
      res.on('close', () => clearInterval(drip));
    });
    await expect(get('/api/v3/me', asAdmin())).rejects.toThrow();
  });

  test('a silent service leads to 503 on the paths for graders', async () => {
    gateway.answer(() => {});
    const answer = await get('/api/v3/grading/courses', asAdmin());
    expect([answer.status, answer.body]).toEqual([503, { message: 'Service Unavailable', errors: null }]);
  });

  test('a response that the service aborts is aborted for the client', async () => {
    gateway.answer((_req, res) => {
      res.setHeader('Content-Length', '1000');
      res.write('half of it');
      setTimeout(() => res.destroy(), 50);
    });
    await expect(get('/api/v3/me', asAdmin())).rejects.toThrow();
  });

  test('a closed connection leads to 503 with Retry-After', async () => {
    gateway.answer((req) => req.socket.destroy());
    const answer = await get('/api/v3/me', asAdmin());
    expect([answer.status, answer.body]).toEqual([503, { message: 'Service Unavailable', errors: null }]);
    expect(answer.headers.get('retry-after')).toBe('2');
  });

  test('a service response that precedes the end of the body reaches the client', async () => {
    gateway.answer((req, res) => {
      req.resume();
      req.on('end', () =>
        res
          .writeHead(413, { 'Content-Type': 'application/json' })
          .end('{"message":"Payload Too Large","errors":null}'),
      );
    });
    const body = Buffer.alloc(500 * 1024);
    const answer = await client().post('/api/v3/quiz/submit-pdf', body, asAdmin());
    expect(answer.status).toBe(413);
  });

  test('a chunked body is streamed to the service', async () => {
    const pieces: string[] = [];
    gateway.answer((req, res) => {
      req.on('data', (chunk) => pieces.push(String(chunk)));
      req.on('end', () => res.end('{}'));
    });
    const status = await new Promise((resolve) => {
      const url = `${gateway.url}/api/v3/quiz/submit-pdf`;
      const req = request(
        url,
        { method: 'POST', headers: { ...asAdmin(), 'transfer-encoding': 'chunked' } },
        (res) => resolve(res.statusCode),
      );
      req.write('first');
      void waitFor(() => pieces.length === 1).then(() => req.end('second'));
    });
    expect([status, pieces]).toEqual([200, ['first', 'second']]);
  });

  test('the request to the service is aborted when the client disconnects', async () => {
    let [arrived, closed] = [false, false];
    gateway.answer((_req, res) => {
      arrived = true;
      res.on('close', () => (closed = true));
    });
    const abort = new AbortController();
    const options = { headers: asAdmin(), signal: abort.signal };
    const answer = client().request('GET', '/api/v3/me', options);
    await waitFor(() => arrived);
    abort.abort();
    await expect(answer).rejects.toThrow();
    await waitFor(() => closed);
  });
});

describe('rate limits', () => {
  test('the request limit applies to each account separately, with Retry-After (D34)', async () => {
    const limited = await startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
    const call = (user: number) =>
      client(limited).get('/api/v3/me', { authorization: `Bearer ${limited.tokens.sign(user, 'user')}` });
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await call(1)).status);
    const refused = await call(1);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(refused.body).toEqual({ message: 'Too Many Requests', errors: null });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await call(2)).status).toBe(200);
    await limited.close();
  });

  test('a request with a valid token counts against its user on open paths too (D51)', async () => {
    const limited = await startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
    const open = (user: number, path: string) =>
      client(limited).get(path, { authorization: `Bearer ${limited.tokens.sign(user, 'user')}` });
    for (const path of ['/api/v3/files/quiz/1?signature=a', '/.well-known/jwks.json', '/docs']) {
      for (let user = 1; user <= 5; user += 1) expect((await open(user, path)).status).toBe(200);
    }
    expect((await open(1, '/api/v3/me')).status).toBe(429);
    expect((await client(limited).get('/docs')).status).toBe(200);
    await limited.close();
  });

  test('300 students behind one address open ten files each within a minute', async () => {
    const school = await startGateway();
    const statuses = new Map<number, number>();
    const students = Array.from({ length: 300 }, async (_, student) => {
      for (let file = 0; file < 10; file += 1) {
        const path = `/api/v3/files/homework/${file}?signature=${student}`;
        const { status } = await client(school).get(path);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    await Promise.all(students);
    expect([...statuses]).toEqual([[200, 3_000]]);
    await school.close();
  });

  test('requests per link, and refused links per address, are limited', async () => {
    const limited = await startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
    const openLink = async (signature: string) =>
      (await client(limited).get(`/api/v3/files/quiz/1?signature=${signature}`)).status;
    const same = [];
    for (let count = 0; count < 4; count += 1) same.push(await openLink('a'));
    expect(same).toEqual([200, 200, 200, 429]);
    limited.answer((_req, res) => res.writeHead(403).end('{}'));
    const refused = [];
    for (const signature of ['b', 'c', 'd', 'e']) refused.push(await openLink(signature));
    expect(refused).toEqual([403, 403, 403, 429]);
    await limited.close();
  });

  test('links that a service accepts also count against their address, ten of them as one request (D61)', async () => {
    const limited = await startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
    const openLink = async (file: number, headers = {}) =>
      (await client(limited).get(`/api/v3/files/quiz/${file}?signature=a`, headers)).status;
    const statuses = [];
    for (let file = 1; file <= 31; file += 1) statuses.push(await openLink(file));
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
    expect(await openLink(32, { authorization: `Bearer ${limited.admin}` })).toBe(200);
    await limited.close();
  });

  test('a link whose client disconnects before the response counts against the address', async () => {
    const limited = await startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
    let isOpen = false;
    limited.answer((_req, res) => {
      isOpen = true;
      res.once('close', () => {
        isOpen = false;
      });
    });
    for (let count = 0; count < 3; count += 1) {
      const abort = new AbortController();
      const sent = fetch(`${limited.url}/api/v3/files/quiz/${count}?signature=a`, { signal: abort.signal });
      await waitFor(() => isOpen);
      abort.abort();
      await expect(sent).rejects.toThrow();
      await waitFor(() => !isOpen);
    }
    expect((await client(limited).get('/api/v3/files/quiz/9?signature=a')).status).toBe(429);
    await limited.close();
  });

  test('a link in absolute form counts as the same link, regardless of its host', async () => {
    const limited = await startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
    const { port } = new URL(limited.url);
    const openLink = (host: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const path = `http://${host}/api/v3/files/quiz/1?signature=a`;
        request({ port, host: '127.0.0.1', path, agent: false }, (res) => resolve(res.resume().statusCode))
          .once('error', reject)
          .end();
      });
    const statuses = [];
    for (const host of ['a', 'b', 'c', 'd']) statuses.push(await openLink(`${host}.example`));
    expect(statuses.at(-1)).toBe(429);
    await limited.close();
  });

  test('the login limit per address counts only failures (D34)', async () => {
    const limited = await startGateway({ LOGIN_LIMIT_PER_ADDRESS: '2' });
    const login = async () => (await client(limited).post('/api/v3/login')).status;
    const statuses = [await login(), await login(), await login()];
    limited.answer((_req, res) => res.writeHead(401).end('{}'));
    for (let count = 0; count < 4; count += 1) statuses.push(await login());
    expect(statuses).toEqual([200, 200, 200, 401, 401, 429, 429]);
    await limited.close();
  });

  test('280 simultaneous failed logins do not exceed a limit of 100 (D50)', async () => {
    const limited = await startGateway({ LOGIN_LIMIT_PER_ADDRESS: '100' });
    limited.answer((_req, res) => setTimeout(() => res.writeHead(401).end('{}'), 20));
    expect(await simultaneousLogins(limited, 280)).toEqual({ 401: 100, 429: 180 });
    await limited.close();
  });

  test('any number of simultaneous correct logins succeed, in turn', async () => {
    const limited = await startGateway({ LOGIN_LIMIT_PER_ADDRESS: '3' });
    limited.answer((_req, res) => setTimeout(() => res.writeHead(200).end('{}'), 20));
    expect(await simultaneousLogins(limited, 40)).toEqual({ 200: 40 });
    limited.answer((_req, res) => res.writeHead(401).end('{}'));
    expect(await simultaneousLogins(limited, 10)).toEqual({ 401: 3, 429: 7 });
    await limited.close();
  });

  test('a login whose client disconnects before the response counts as failed', async () => {
    const limited = await startGateway({ LOGIN_LIMIT_PER_ADDRESS: '2', RATE_LIMIT_PER_MINUTE: '0' });
    const url = `${limited.url}/api/v3/login`;
    for (let count = 0; count < 2; count += 1) {
      const aborted = new AbortController();
      limited.answer(() => aborted.abort());
      await expect(fetch(url, { method: 'POST', signal: aborted.signal })).rejects.toThrow('abort');
    }
    limited.answer((_req, res) => res.writeHead(200).end('{}'));
    await waitFor(async () => (await client(limited).post('/api/v3/login')).status === 429);
    await limited.close();
  });

  test('a hundred requests for codes do not block logins; codes have a separate limit (D50)', async () => {
    const limited = await startGateway({ OTP_LIMIT_PER_ADDRESS: '120' });
    const post = async (path: string) => (await client(limited).post(path)).status;
    const statuses = [];
    for (let count = 0; count < 120; count += 1) statuses.push(await post('/api/v3/login/otp'));
    expect(statuses).toEqual(Array(120).fill(200));
    const refused = await client(limited).post('/api/v3/login/otp');
    expect(refused).toMatchObject({ status: 429, body: { message: 'Too Many Requests', errors: null } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await post('/api/v3/login')).toBe(200);
    await limited.close();
  });

  test('a login that lacks only the second factor does not count as a failure', async () => {
    const limited = await startGateway({ LOGIN_LIMIT_PER_ADDRESS: '2' });
    limited.answer((_req, res) => res.writeHead(401, { second_factor: 'required' }).end('{}'));
    const statuses = [];
    for (let count = 0; count < 4; count += 1)
      statuses.push((await client(limited).post('/api/v3/login')).status);
    expect(statuses).toEqual([401, 401, 401, 401]);
    await limited.close();
  });
});

test('browsers may call only from configured origins', async () => {
  const headers = { ...asAdmin(), origin: 'https://school.example' };
  expect((await get('/api/v3/me', headers)).headers.get('access-control-allow-origin')).toBeNull();
  const open = await startGateway({ CORS_ORIGINS: 'https://school.example' });
  const preflight = await client(open).request('OPTIONS', '/api/v3/me', {
    headers: { origin: 'https://school.example', 'access-control-request-method': 'GET' },
  });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-origin')).toBe('https://school.example');
  const other = await client(open).post('/api/v3/login', undefined, { origin: 'https://evil.example' });
  expect(other.headers.get('access-control-allow-origin')).toBeNull();
  await open.close();
});

test('the documentation loads no external resources', async () => {
  const page = await get('/docs');
  expect(page.headers.get('content-type')).toContain('text/html');
  for (const [, path] of page.body.toString().matchAll(/(?:src|href)="([^"]+)"/g)) {
    expect(path).toMatch(/^\/docs\//);
    expect((await get(path ?? '')).status).toBe(200);
  }
});
