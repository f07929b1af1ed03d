import { createCookieBrowser } from '@gradeway/test/cookieBrowser';
import { createHttpClient } from '@gradeway/test/httpClient';
import { scrape } from '@gradeway/test/metrics';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { administrator, password } from './authService.ts';
import { personOf, type SsoSystem, startSsoSystem } from './ssoSystem.ts';

const systems: SsoSystem[] = [];
const start = async (options: Parameters<typeof startSsoSystem>[0]) => {
  const system = await startSsoSystem(options);
  systems.push(system);
  return system;
};
afterAll(() => Promise.all(systems.map((system) => system.close())));

describe.each(['PS256', 'ES256', 'EdDSA'] as const)('a provider that signs with %s', (algorithm) => {
  test('signs people in', async () => {
    const system = await start({ algorithm, provider: { create: true } });
    expect((await system.signIn(personOf('ada@school.example'))).location).toBe('/');
  });
});

test('a provider that signs with HS256 and the secret of the client is refused', async () => {
  const system = await start({ algorithm: 'HS256', provider: { create: true } });
  expect((await system.signIn(personOf('ada@school.example'))).location).toBe('/login?error=sso_failed');
});

describe('while a provider', () => {
  let system: SsoSystem;
  // A provider whose configuration is known would not hang at the start of a sign-in.
  beforeEach(async () => {
    // Nothing listens at the address of the second one.
    const down = {
      id: 'down',
      name: 'Down',
      issuer: 'http://localhost:1',
      client_id: 'x',
      client_secret: 'x',
    };
    system = await start({ provider: { create: true }, others: [down] });
  });

  const passwordLogin = async () => (await system.auth.logIn(administrator, administrator)).status;
  const readyz = async () => (await createHttpClient({ baseUrl: system.origin }).get('/readyz')).status;
  const startAt = async (provider: string) => {
    const { status, headers } = await createHttpClient({ baseUrl: system.origin }).get(
      `/session/sso/${provider}`,
    );
    return [status, headers.get('location')];
  };
  const unavailable = [303, '/login?error=sso_unavailable'];

  test('is down, the system starts, becomes ready and accepts passwords', async () => {
    expect(await startAt('down')).toEqual(unavailable);
    expect([await passwordLogin(), await readyz()]).toEqual([200, 200]);
  });

  test('hangs, sign-ins end as unavailable, block nothing, and work again afterwards', async () => {
    system.provider.hang();
    const waiting = Array.from({ length: 20 }, () => startAt('school'));
    expect([await passwordLogin(), await readyz()]).toEqual([200, 200]);
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => unavailable));
    // The calls do not count as failures of auth.
    const metrics = await scrape(system.gateway.adminUrl);
    expect(metrics.value('gradeway_circuit_breaker_refusals_total', { callee: 'auth' }) ?? 0).toBe(0);
    await system.provider.resume();
    expect((await system.signIn(personOf('ada@school.example'))).location).toBe('/');
    const counted = await scrape(system.auth.service.adminUrl);
    const count = (provider: string, result: string) =>
      counted.value('gradeway_sso_sign_ins_total', { provider, result });
    expect([count('school', 'unavailable'), count('school', 'opened'), count('down', 'opened')]).toEqual([
      20, 1, 0,
    ]);
  });

  test('hangs after its page, the sign-in ends as unavailable', async () => {
    system.provider.person = personOf('grace@school.example');
    const browser = createCookieBrowser();
    const isBack = (url: URL) => url.pathname.endsWith('/callback');
    const response = await browser.follow(`${system.origin}/session/sso/school`, isBack);
    system.provider.hang();
    const finished = browser.request(response.headers.get('location') ?? '');
    expect([await passwordLogin(), await readyz()]).toEqual([200, 200]);
    expect((await finished).headers.get('location')).toBe('/login?error=sso_unavailable');
    await system.provider.resume();
  });

  test('is not configured, its paths do not exist', async () => {
    expect(await startAt('unknown')).toEqual([404, null]);
    expect(await startAt('unknown/callback')).toEqual([303, '/login?error=sso_failed']);
  });

  test('is listed, only its name and its URL are public', async () => {
    const { status, body } = await createHttpClient({ baseUrl: system.origin }).get(
      '/api/v3/login/providers',
    );
    expect([status, body.data]).toEqual([
      200,
      [
        { id: 'school', name: 'School', url: `${system.origin}/session/sso/school` },
        { id: 'down', name: 'Down', url: `${system.origin}/session/sso/down` },
      ],
    ]);
  });

  test('signs people in, neither codes nor tokens nor addresses are in a log', async () => {
    await system.signIn(personOf('hidden@school.example'));
    const { browser } = await system.signIn(personOf('hidden@school.example', { email_verified: false }));
    expect(browser).toBeDefined();
    for (const log of [system.auth.service.log(), system.gateway.log()]) {
      expect(log).toContain('"msg"');
      for (const secret of ['hidden@', system.provider.clientSecret, 'code=', 'state=', 'eyJ'])
        expect(log).not.toContain(secret);
    }
  });
});

describe('with PASSWORD_LOGIN=off', () => {
  let system: SsoSystem;
  beforeAll(async () => {
    system = await start({ env: { PASSWORD_LOGIN: 'off' } });
  });
  const refused = { message: 'Use single sign-on.' };
  const inDomain = () => system.auth.newUser();
  const outside = () => system.auth.newUser({ email: `p${Math.random()}@elsewhere.example` });

  test('accounts in the domain of a provider cannot log in with a password, regardless of what they enter', async () => {
    const account = await inDomain();
    const messages = [
      await system.auth.logIn(account),
      await system.auth.logIn({ email: account.mobile }),
      await system.auth.logIn(account, { password: 'a wrong password' }),
      await system.auth.logIn({ email: 'nobody@school.example' }),
      await system.auth.logIn(administrator, { password: 'a wrong password' }),
    ];
    for (const { status, body } of messages) expect([status, body.message]).toEqual([401, refused.message]);
    expect((await system.auth.logIn(await outside())).status).toBe(200);
  });

  test('administrators keep their passwords', async () => {
    expect((await system.auth.logIn(administrator, administrator)).status).toBe(200);
  });

  test('accounts in the domain of a provider get no code and set no password', async () => {
    const { id, email } = await inDomain();
    expect((await system.auth.call('POST', '/api/v3/login/otp', { body: { email } })).status).toBe(200);
    await expect
      .poll(async () =>
        (await system.auth.rows('SELECT user_id FROM auth.login_codes')).map((row) => row.user_id),
      )
      .toContain(null);
    expect(system.auth.service.log()).not.toContain(email);
    const verified = await system.auth.call('POST', '/api/v3/login/otp/verify', {
      body: { email, code: '123456' },
    });
    expect([verified.status, verified.body.message]).toEqual([401, refused.message]);
    const { token } = await system.signIn(personOf(email));
    const body = { password: 'another long password', current_password: password };
    const changed = await system.auth.call('PUT', '/api/v3/password', { token, body });
    expect([changed.status, changed.body.message]).toEqual([401, refused.message]);
    const path = `/api/v3/admin/users/${id}`;
    expect((await system.auth.call('GET', path, { token: system.auth.admin })).body.data.email).toBe(email);
  });
});

describe('a provider with `roles` and `end_session`', () => {
  let system: SsoSystem;
  beforeAll(async () => {
    const roles = { claim: 'groups', map: { staff: 'instructor' } };
    system = await start({
      provider: { create: true, roles, end_session: true },
      env: { DEVICE_LIMIT_WEB: '1' },
    });
  });
  const roleOf = async (token: string | undefined) =>
    (await system.auth.call('GET', '/api/v3/me', { token })).body.data.role;

  test('sets the role of new accounts, but never changes it later', async () => {
    const teacher = personOf('teacher@school.example', { groups: ['all', 'staff'] });
    expect(await roleOf((await system.signIn(teacher)).token)).toBe('instructor');
    expect(await roleOf((await system.signIn({ ...teacher, groups: ['all'] })).token)).toBe('instructor');
    const student = personOf('student@school.example', { groups: ['all', 'admin'] });
    expect(await roleOf((await system.signIn(student)).token)).toBe('user');
  });

  test('device limits hold', async () => {
    const account = await system.auth.newUser();
    await system.auth.tokenOf(account, { headers: { device_token: 'another device' } });
    expect((await system.signIn(personOf(account.email))).location).toBe('/login?error=sso_blocked');
  });

  test('a logout leads to the page that ends the session at the provider', async () => {
    const { browser } = await system.signIn(personOf('leaving@school.example'));
    const headers = { 'x-requested-with': 'gradeway' };
    const left = await browser.request(`${system.origin}/session`, { method: 'DELETE', headers });
    const path = left.headers.get('logout-location');
    expect([left.status, path]).toEqual([204, '/session/sso/school/logout']);
    const location = new URL((await browser.request(system.origin + path)).headers.get('location') ?? '');
    expect(location.origin + location.pathname).toBe(`${system.provider.issuer}/session/end`);
    expect(location.searchParams.get('post_logout_redirect_uri')).toBe(`${system.origin}/login`);
  });
});
