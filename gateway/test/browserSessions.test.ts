import type { IncomingMessage } from 'node:http';
import { sendHalf } from '@gradeway/test/halfSentRequest';
import { type Answer, createHttpClient } from '@gradeway/test/httpClient';
import { scrapeSelf } from '@gradeway/test/metrics';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGateway, type TestGateway } from './testGateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ RATE_LIMIT_PER_MINUTE: '0', IDLE_TIMEOUT: '500ms', BODY_TIMEOUT: '1s' });
});
afterAll(() => gateway.close());

const unauthorized = { message: 'UnauthorizedRequest', errors: null };
const [first, second] = ['a.first-token.c', 'a.second-token.c'];
const expiresAt = 2_000_000_000;

interface Call {
  path: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}
let calls: Call[] = [];
/** The responses of auth, by the path of the request. */
let answers: Record<string, [status: number, body: object, headers?: Record<string, string>]> = {};

beforeEach(() => {
  calls = [];
  answers = {
    '/api/v3/login': [200, { access_token: first, expires_in: expiresAt, role: 'user' }],
    '/api/v3/login/otp/verify': [200, { access_token: first, expires_in: expiresAt, change_password: true }],
    '/api/v3/token/refresh': [200, { token_type: 'Bearer', access_token: second, expires_in: expiresAt }],
    '/api/v3/logout': [204, {}],
  };
  gateway.answer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk) => chunks.push(chunk));
    req.on('end', () => {
      calls.push({ path: req.url, headers: req.headers, body: Buffer.concat(chunks).toString() });
      const [status, body, headers] = answers[req.url ?? ''] ?? [200, { data: 'from the service' }];
      res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
      res.end(status === 204 ? undefined : JSON.stringify(body));
    });
  });
});

const fromPage = () => ({
  origin: gateway.url,
  'sec-fetch-site': 'same-origin',
  'x-requested-with': 'gradeway',
});
const credentials = { email: 'ada@school.example', password: 'a long and secret one' };

function send(
  method: 'POST' | 'DELETE' | 'GET' | 'PUT',
  path: string,
  headers: Record<string, string | undefined> = {},
  body?: unknown,
  to = gateway,
): Promise<Answer> {
  const all = Object.entries({ ...fromPage(), ...headers }).filter(([, value]) => value !== undefined);
  return createHttpClient({ baseUrl: to.url }).request(method, path, {
    body,
    headers: Object.fromEntries(all) as Record<string, string>,
  });
}

const cookieOf = ({ headers }: Answer) => headers.getSetCookie();
const withCookie = (token: string) => ({ cookie: `theme=dark; session=${token}` });
const bearerOf = (call: Call | undefined) => call?.headers.authorization;
const removed = 'session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict';

describe('POST /session', () => {
  test('POST /session responds like the login and sets the token as a cookie that scripts cannot read', async () => {
    const answer = await send('POST', '/session', {}, credentials);
    expect([answer.status, answer.body]).toEqual([200, answers['/api/v3/login']?.[1]]);
    const [cookie = ''] = cookieOf(answer);
    const [, seconds] =
      /^session=a\.first-token\.c; Max-Age=(\d+); Path=\/; HttpOnly; SameSite=Strict$/.exec(cookie) ?? [];
    // How long auth refreshes the token: until 14 days after its expiry.
    const lastUse = expiresAt + 14 * 24 * 3_600 - Date.now() / 1_000;
    expect(Math.abs(Number(seconds) - lastUse)).toBeLessThan(60);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(calls).toMatchObject([{ path: '/api/v3/login', body: JSON.stringify(credentials) }]);
  });

  test('POST /session logs in with a one-time code when there is a code and no password', async () => {
    const withCode = { email: 'ada@school.example', code: '042137', totp: '123456' };
    const answer = await send('POST', '/session', {}, withCode);
    expect([answer.status, answer.body.change_password]).toEqual([200, true]);
    expect(cookieOf(answer)).toHaveLength(1);
    await send('POST', '/session', {}, { ...withCode, password: 'too' });
    await send('POST', '/session', {}, { ...withCode, password: null });
    for (const odd of ['{"code"', 'null', '"code"', '[]']) await send('POST', '/session', {}, odd);
    expect(calls.map(({ path }) => path)).toEqual([
      '/api/v3/login/otp/verify',
      '/api/v3/login',
      '/api/v3/login/otp/verify',
      ...Array(4).fill('/api/v3/login'),
    ]);
  });

  test('POST /session forwards the device headers to auth, but neither the cookie nor a token', async () => {
    answers['/api/v3/login'] = [
      200,
      { access_token: first, expires_in: expiresAt },
      { device_token: 'generated' },
    ];
    const headers = {
      ...withCookie(second),
      authorization: `Bearer ${gateway.admin}`,
      device_token: 'known',
      'device-name': 'Notebook',
      'user-agent': 'A browser',
      'x-forwarded-for': '1.2.3.4',
      'x-user-id': '1',
    };
    const answer = await send('POST', '/session', headers, credentials);
    expect(answer.headers.get('device_token')).toBe('generated');
    const sent = calls[0]?.headers ?? {};
    expect(sent).toMatchObject({
      device_token: 'known',
      'device-name': 'Notebook',
      'user-agent': 'A browser',
    });
    expect(sent['x-forwarded-for']).toBe('127.0.0.1');
    expect(sent['x-request-id']).toBe(answer.headers.get('x-request-id'));
    for (const name of ['cookie', 'authorization', 'x-user-id', 'origin', 'x-requested-with'])
      expect(sent[name], name).toBeUndefined();
  });

  test.each([401, 400, 422, 429, 503])(
    'a login to which auth responds with %i sets no cookie',
    async (status) => {
      answers['/api/v3/login'] = [status, { message: 'refused', errors: null }, { device_limit: 'web=2' }];
      const answer = await send('POST', '/session', {}, credentials);
      expect([answer.status, answer.body]).toEqual([status, { message: 'refused', errors: null }]);
      expect(answer.headers.get('device_limit')).toBe('web=2');
      expect(cookieOf(answer)).toEqual([]);
    },
  );

  test('failed logins of browsers and programs count together, and a missing second factor does not count', async () => {
    const limited = await startGateway({ LOGIN_LIMIT_PER_ADDRESS: '2' });
    const refusal = (headers = {}) => limited.answer((_req, res) => res.writeHead(401, headers).end('{}'));
    const own = { origin: limited.url };
    const statuses = [];
    refusal({ second_factor: 'required' });
    for (let count = 0; count < 3; count += 1)
      statuses.push((await send('POST', '/session', own, credentials, limited)).status);
    refusal();
    statuses.push((await send('POST', '/session', own, credentials, limited)).status);
    statuses.push(
      (await createHttpClient({ baseUrl: limited.url }).post('/api/v3/login', credentials)).status,
    );
    statuses.push((await send('POST', '/session', own, credentials, limited)).status);
    statuses.push(
      (await createHttpClient({ baseUrl: limited.url }).post('/api/v3/login', credentials)).status,
    );
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    await limited.close();
  });

  test('a body that is too large is 413, and one that does not arrive is 408', async () => {
    const large = await send('POST', '/session', {}, JSON.stringify({ email: 'x'.repeat(300_000) }));
    expect([large.status, large.body.message]).toEqual([413, 'Payload Too Large']);
    const endless = new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{')) });
    const late = await send('POST', '/session', {}, endless);
    expect([late.status, late.body.message]).toEqual([408, 'Request Timeout']);
    expect(calls).toEqual([]);
  });
});

describe('POST /session/refresh', () => {
  test('a refresh exchanges the token in the cookie for a new one', async () => {
    const answer = await send('POST', '/session/refresh', withCookie(first));
    expect([answer.status, answer.body]).toEqual([200, answers['/api/v3/token/refresh']?.[1]]);
    expect(cookieOf(answer)).toEqual([
      expect.stringMatching(/^session=a\.second-token\.c; Max-Age=[1-9]\d+; /),
    ]);
    expect(calls.map((call) => [call.path, bearerOf(call)])).toEqual([
      ['/api/v3/token/refresh', `Bearer ${first}`],
    ]);
  });

  test.each([
    ['without a cookie', {}],
    ['with a token in Authorization only', { authorization: `Bearer ${first}` }],
    ['with the cookie of pages behind TLS, at an address without it', { cookie: `__Host-session=${first}` }],
    ['with a cookie that is no token', { cookie: 'session=a b' }],
    ['with an empty cookie', { cookie: 'session=' }],
    ['with a header in the cookie', { cookie: 'session=a.b.c%0d%0ax-user-id: 1' }],
  ])('%s is 401, and auth is not called', async (_, headers) => {
    const answer = await send('POST', '/session/refresh', headers);
    expect([answer.status, answer.body]).toEqual([401, unauthorized]);
    expect(calls).toEqual([]);
  });

  test('refreshing a session that has ended is 401 and removes its cookie', async () => {
    answers['/api/v3/token/refresh'] = [401, unauthorized];
    const answer = await send('POST', '/session/refresh', withCookie(first));
    expect([answer.status, answer.body, cookieOf(answer)]).toEqual([401, unauthorized, [removed]]);
  });

  test('a refresh keeps the cookie while auth is down, silent or busy', async () => {
    answers['/api/v3/token/refresh'] = [503, { message: 'Service Unavailable', errors: null }];
    const busy = await send('POST', '/session/refresh', withCookie(first));
    expect([busy.status, cookieOf(busy)]).toEqual([503, []]);
    gateway.answer((req) => req.socket.destroy());
    const down = await send('POST', '/session/refresh', withCookie(first));
    expect([down.status, down.headers.get('retry-after'), cookieOf(down)]).toEqual([503, '2', []]);
    gateway.answer(() => {});
    const silent = await send('POST', '/session/refresh', withCookie(first));
    expect([silent.status, silent.body.message, cookieOf(silent)]).toEqual([504, 'Gateway Timeout', []]);
  });

  test('a refresh is completed at auth even after the client has disconnected', async () => {
    let closed = false;
    let answer = () => {};
    gateway.answer((_req, res) => {
      answer = () => res.end('{}');
      res.once('close', () => (closed = !res.writableFinished));
    });
    const leaving = new AbortController();
    const asked = createHttpClient({ baseUrl: gateway.url }).request('POST', '/session/refresh', {
      headers: { ...fromPage(), ...withCookie(first) },
      signal: leaving.signal,
    });
    const initial = answer;
    await waitFor(() => answer !== initial);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    // The gateway has had time to notice.
    for (let each = 0; each < 5; each += 1) await createHttpClient({ baseUrl: gateway.url }).get('/livez');
    answer();
    expect(closed).toBe(false);
  });

  test('refreshes count against their session, and refused ones against the address, which a school can share', async () => {
    const school = await startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
    const own = { origin: school.url };
    const refresh = async (token: string) =>
      (await send('POST', '/session/refresh', { ...own, ...withCookie(token) }, undefined, school)).status;
    school.answer((_req, res) => res.end(JSON.stringify({ access_token: second, expires_in: expiresAt })));
    for (let student = 0; student < 10; student += 1) expect(await refresh(`a.${student}.c`)).toBe(200);
    const valid = [];
    for (let count = 0; count < 4; count += 1) valid.push(await refresh(school.tokens.sign(9, 'user')));
    expect(valid).toEqual([200, 200, 200, 429]);
    school.answer((_req, res) => res.writeHead(401).end('{}'));
    const refused = [];
    for (let guess = 0; guess < 4; guess += 1) refused.push(await refresh(`b.${guess}.c`));
    expect(refused).toEqual([401, 401, 401, 429]);
    await school.close();
  });
});

describe('DELETE /session', () => {
  test('DELETE /session ends the session and removes the cookie', async () => {
    const answer = await send('DELETE', '/session', withCookie(first));
    expect([answer.status, answer.body, cookieOf(answer)]).toEqual([204, null, [removed]]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(calls.map((call) => [call.path, bearerOf(call)])).toEqual([['/api/v3/logout', `Bearer ${first}`]]);
  });

  test('DELETE /session refreshes an expired token first, and then ends its session', async () => {
    gateway.answer((req, res) => {
      const { url: path, headers } = req;
      calls.push({ path, headers, body: '' });
      const isExpired = path === '/api/v3/logout' && headers.authorization === `Bearer ${first}`;
      if (isExpired) res.writeHead(401).end('{}');
      else if (path === '/api/v3/logout') res.writeHead(204).end();
      else res.end(JSON.stringify({ access_token: second, expires_in: expiresAt }));
    });
    const answer = await send('DELETE', '/session', withCookie(first));
    expect([answer.status, cookieOf(answer)]).toEqual([204, [removed]]);
    expect(calls.map((call) => [call.path, bearerOf(call)])).toEqual([
      ['/api/v3/logout', `Bearer ${first}`],
      ['/api/v3/token/refresh', `Bearer ${first}`],
      ['/api/v3/logout', `Bearer ${second}`],
    ]);
  });

  test('DELETE /session is also 204 without a cookie and for a session that has ended', async () => {
    answers['/api/v3/logout'] = [401, unauthorized];
    answers['/api/v3/token/refresh'] = [401, unauthorized];
    const ended = await send('DELETE', '/session', withCookie(first));
    expect([ended.status, cookieOf(ended)]).toEqual([204, [removed]]);
    calls = [];
    const none = await send('DELETE', '/session');
    expect([none.status, cookieOf(none), calls]).toEqual([204, [removed], []]);
  });

  test.each(['/api/v3/logout', '/api/v3/token/refresh'])(
    'DELETE /session keeps the cookie when %s fails, so that the session can still be ended',
    async (path) => {
      answers['/api/v3/logout'] = [401, unauthorized];
      answers[path] = [500, { message: 'Server Error', errors: null }];
      const answer = await send('DELETE', '/session', withCookie(first));
      expect([answer.status, answer.body.message, cookieOf(answer)]).toEqual([
        503,
        'Service Unavailable',
        [],
      ]);
    },
  );
});

test('guessed tokens count against the address, in refreshes and in logouts', async () => {
  const limited = await startGateway({ RATE_LIMIT_PER_MINUTE: '3' });
  limited.answer((_req, res) => res.writeHead(401).end('{}'));
  const statuses = [];
  for (let guess = 0; guess < 5; guess += 1) {
    const headers = { origin: limited.url, ...withCookie(`a.${guess}.c`) };
    statuses.push((await send('DELETE', '/session', headers, undefined, limited)).status);
  }
  expect(statuses).toEqual([204, 204, 204, 429, 429]);
  await limited.close();
});

test('600 half-sent logins do not block a legitimate login from the same address', async () => {
  const half = { ...fromPage(), 'content-type': 'application/json', 'content-length': '100' };
  const halfSent = Array.from({ length: 600 }, () => sendHalf(gateway.url, '/session', half, '{"email":'));
  await waitFor(() => halfSent.some(({ answer }) => answer().startsWith('HTTP/1.1 408 ')));
  expect((await send('POST', '/session', {}, credentials)).status).toBe(200);
  await Promise.all(halfSent.map(({ ended }) => ended));
  expect(calls).toHaveLength(1);
});

describe('a page of another site', () => {
  const requests = [
    ['POST', '/session'],
    ['POST', '/session/refresh'],
    ['DELETE', '/session'],
  ] as const;
  const foreign = { message: 'Only pages of this host may use its sessions.', errors: null };
  const unmarked = { message: 'The header X-Requested-With must be gradeway.', errors: null };

  test.each([
    ['another origin', { origin: 'https://evil.example' }, foreign],
    ['this host at another port', { origin: 'http://127.0.0.1:1' }, foreign],
    ['this host over TLS, which it does not have', { origin: 'https://127.0.0.1' }, foreign],
    ['an origin that begins like this one', { origin: 'http://127.0.0.1.evil.example' }, foreign],
    ['a sandboxed origin', { origin: 'null' }, foreign],
    [
      'a different origin, and a host that it forwards',
      { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      foreign,
    ],
    ['a request across sites', { 'sec-fetch-site': 'cross-site' }, foreign],
    ['a request from another subdomain', { 'sec-fetch-site': 'same-site' }, foreign],
    ['a typed address', { 'sec-fetch-site': 'none' }, foreign],
    ['a form, which cannot send X-Requested-With', { 'x-requested-with': undefined }, unmarked],
    ['X-Requested-With from another library', { 'x-requested-with': 'XMLHttpRequest' }, unmarked],
  ])(
    'a page of another site is refused (%s): 403, no cookie and no call to auth',
    async (_, headers, expected) => {
      for (const [method, path] of requests) {
        const answer = await send(
          method,
          path,
          { ...withCookie(first), ...headers },
          method === 'POST' ? credentials : undefined,
        );
        expect([answer.status, answer.body, cookieOf(answer)]).toEqual([403, expected, []]);
      }
      expect(calls).toEqual([]);
    },
  );

  test('a page from another site is refused even if CORS_ORIGINS allows it to call the API', async () => {
    const open = await startGateway({ CORS_ORIGINS: 'https://school.example' });
    const headers = { origin: 'https://school.example', ...withCookie(first) };
    const answer = await send('POST', '/session/refresh', headers, undefined, open);
    expect([answer.status, answer.headers.get('access-control-allow-credentials')]).toEqual([403, null]);
    await open.close();
  });

  test('a program, which sends neither Origin nor Sec-Fetch-Site, is not mistaken for another site', async () => {
    const program = { origin: undefined, 'sec-fetch-site': undefined };
    expect((await send('POST', '/session', program, credentials)).status).toBe(200);
    expect(
      (await send('POST', '/session', { ...program, 'x-requested-with': undefined }, credentials)).status,
    ).toBe(403);
  });
});

describe('the cookie', () => {
  const secured =
    /^__Host-session=a\.first-token\.c; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict; Secure$/;

  test('the cookie has __Host- and Secure behind TLS, and no other cookie is read there', async () => {
    const behindTls = await startGateway({ TRUSTED_PROXIES: '1' });
    behindTls.answer((_req, res) => res.end(JSON.stringify({ access_token: first, expires_in: expiresAt })));
    const proxied = {
      'x-forwarded-for': '192.0.2.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'school.example',
      origin: 'https://school.example',
    };
    const opened = await send('POST', '/session', proxied, credentials, behindTls);
    expect([opened.status, cookieOf(opened)]).toEqual([200, [expect.stringMatching(secured)]]);
    const refresh = async (cookie: string) =>
      (await send('POST', '/session/refresh', { ...proxied, cookie }, undefined, behindTls)).status;
    expect([await refresh(`__Host-session=${first}`), await refresh(`session=${first}`)]).toEqual([200, 401]);
    const closed = await send('DELETE', '/session', proxied, undefined, behindTls);
    expect(cookieOf(closed)).toEqual([
      '__Host-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
    ]);
    await behindTls.close();
  });

  test('the cookie works for pages of PUBLIC_URL if that is set', async () => {
    const named = await startGateway({ PUBLIC_URL: 'https://school.example/' });
    named.answer((_req, res) => res.end(JSON.stringify({ access_token: first, expires_in: expiresAt })));
    const opened = await send('POST', '/session', { origin: 'https://school.example' }, credentials, named);
    expect([opened.status, cookieOf(opened)]).toEqual([200, [expect.stringMatching(secured)]]);
    expect((await send('POST', '/session', { origin: named.url }, credentials, named)).status).toBe(403);
    await named.close();
  });

  test('the cookie lasts for REFRESH_WINDOW', async () => {
    const brief = await startGateway({ REFRESH_WINDOW: '1h' });
    const expires = Math.round(Date.now() / 1_000) + 60;
    brief.answer((_req, res) => res.end(JSON.stringify({ access_token: first, expires_in: expires })));
    const [cookie] = cookieOf(await send('POST', '/session', { origin: brief.url }, credentials, brief));
    const seconds = Number(/Max-Age=(\d+)/.exec(cookie ?? '')?.[1]);
    expect(Math.abs(seconds - 3_660)).toBeLessThan(60);
    await brief.close();
  });

  test('the cookie does not authorize requests to the API', async () => {
    for (const cookie of [`session=${gateway.admin}`, `__Host-session=${gateway.admin}`])
      for (const [method, path] of [
        ['GET', '/api/v3/me'],
        ['PUT', '/api/v3/password'],
        ['POST', '/api/v3/token/refresh'],
      ] as const) {
        const answer = await send(method, path, { cookie });
        if (path === '/api/v3/token/refresh') expect(bearerOf(calls.at(-1))).toBeUndefined();
        else expect([answer.status, answer.body]).toEqual([401, unauthorized]);
      }
    expect(calls.every(({ headers }) => headers.cookie === undefined)).toBe(true);
  });
});

test('other methods of /session are 405, and requests are counted by route', async () => {
  for (const [method, path, allowed] of [
    ['GET', '/session', 'POST, DELETE'],
    ['PUT', '/session', 'POST, DELETE'],
    ['GET', '/session/refresh', 'POST'],
  ] as const) {
    const answer = await send(method, path);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed]);
  }
  const count = 'http_server_request_duration_seconds_count';
  const refreshes = async () =>
    (await scrapeSelf()).value(count, { http_route: '/session/refresh', http_request_method: 'POST' }) ?? 0;
  const before = await refreshes();
  await send('POST', '/session/refresh', withCookie(first));
  await waitFor(async () => (await refreshes()) === before + 1);
});

test('no token, password or cookie reaches the log', async () => {
  const lines: string[] = [];
  const write = (...line: unknown[]) =>
    lines.push(
      JSON.stringify(line, (_, value) =>
        value instanceof Error ? { ...value, stack: value.stack, cause: value.cause } : value,
      ),
    );
  const logged = await startGateway({ IDLE_TIMEOUT: '300ms' }, {
    debug: write,
    info: write,
    warn: write,
    error: write,
  } as never);
  const own = { origin: logged.url };
  logged.answer((_req, res) => res.end(JSON.stringify({ access_token: second, expires_in: expiresAt })));
  await send('POST', '/session', own, credentials, logged);
  await send('POST', '/session/refresh', { ...own, ...withCookie(first) }, undefined, logged);
  await send('DELETE', '/session', { ...own, ...withCookie(first) }, undefined, logged);
  logged.answer(() => {});
  await send('POST', '/session/refresh', { ...own, ...withCookie(first) }, undefined, logged);
  await waitFor(() => lines.filter((line) => line.includes('"request"')).length === 4);
  expect(lines.join('\n')).toContain('/session/refresh');
  for (const secret of [first, second, credentials.password, credentials.email])
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  await logged.close();
});
