import { createHash, randomUUID } from 'node:crypto';
import { createCookieBrowser } from '@gradeway/test/cookieBrowser';
import { createHttpClient } from '@gradeway/test/httpClient';
import { totpCode } from '@gradeway/test/totpCode';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { administrator, password } from './authService.ts';
import { personOf, type SignedIn, type SsoSystem, startSsoSystem } from './ssoSystem.ts';

let system: SsoSystem;
beforeAll(async () => {
  system = await startSsoSystem({ env: { LOGIN_LIMIT_PER_ACCOUNT: '0' } });
});
afterAll(() => system.close());
afterEach(async () => {
  system.provider.alterIdToken = undefined;
  await system.provider.resume();
});

const failed = (error: string) => `/login?error=sso_${error}`;
const me = async (token: string | undefined) =>
  (await createHttpClient({ baseUrl: system.origin, token }).get('/api/v3/me')).body?.data;
const identitiesOf = async (token: string | undefined) =>
  (await createHttpClient({ baseUrl: system.origin, token }).get('/api/v3/me/identities')).body.data;
const tokenIn = async (response: Response) =>
  ((await response.json()) as { access_token: string }).access_token;
const newUser = (properties: object = {}) => system.auth.newUser({ ...properties });
const newAddress = (domain = 'school.example') => `${randomUUID()}@${domain}`;

describe('a first sign-in', () => {
  test('links the account with the same verified address in a domain of the provider, and later ones find it', async () => {
    const { id, email } = await newUser();
    const first = await system.signIn(personOf(email.toUpperCase()), { query: '?next=/my/grades%3Fa=1' });
    expect(first.location).toBe('/my/grades?a=1');
    expect(await me(first.token)).toMatchObject({ id, email });
    expect(await identitiesOf(first.token)).toEqual([
      {
        id: expect.any(Number),
        provider: 'school',
        subject: `subject of ${email.toUpperCase()}`,
        email: email.toUpperCase(),
        linked_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      },
    ]);
    // From now on, the subject identifies the person, even if the other claims change.
    const renamed = { ...personOf(email.toUpperCase()), email: newAddress(), given_name: 'Other' };
    const second = await system.signIn(renamed);
    expect(second.location).toBe('/');
    expect(await me(second.token)).toMatchObject({ id, email, first_name: 'Ada' });
  });

  test.each([
    ['the address is not verified', { email_verified: false }],
    ['the provider does not say whether it is verified', { email_verified: undefined }],
  ])('links no account if %s', async (_, claims) => {
    const { email } = await newUser();
    const { location, token } = await system.signIn(personOf(email, claims));
    expect([location, token]).toEqual([failed('no_account'), undefined]);
    expect(await system.auth.rows('SELECT id FROM auth.identities WHERE email = $1', email)).toEqual([]);
  });

  test.each(['elsewhere.example', 'sub.school.example', 'school.example.evil.example'])(
    'links no account with an address at %s, which the provider is not responsible for',
    async (domain) => {
      const { email } = await newUser({ email: newAddress(domain) });
      expect((await system.signIn(personOf(email))).location).toBe(failed('no_account'));
    },
  );

  test('never links an administrator by address', async () => {
    expect((await system.signIn(personOf(administrator.email))).location).toBe(failed('no_account'));
  });

  test('without an account is refused, because the provider does not create any', async () => {
    const { location, token } = await system.signIn(personOf(newAddress()));
    expect([location, token]).toEqual([failed('no_account'), undefined]);
  });

  test('is not opened for a parent or a blocked account', async () => {
    const parent = await newUser({ role: 'parent' });
    expect((await system.signIn(personOf(parent.email))).location).toBe(failed('blocked'));
    const blocked = await newUser();
    const person = personOf(blocked.email);
    expect((await system.signIn(person)).location).toBe('/');
    const path = `/api/v3/admin/users/${blocked.id}`;
    await system.auth.call('PATCH', path, { token: system.auth.admin, body: { is_blocked: true } });
    const { location, token } = await system.signIn(person);
    expect([location, token]).toEqual([failed('blocked'), undefined]);
  });

  test('in two browsers simultaneously opens two sessions of one account', async () => {
    const { id, email } = await newUser();
    const person = personOf(email);
    const both = await Promise.all([system.signIn(person), system.signIn(person), system.signIn(person)]);
    for (const { token } of both) expect(await me(token)).toMatchObject({ id });
    const rows = await system.auth.rows('SELECT user_id FROM auth.identities WHERE subject = $1', person.sub);
    expect(rows).toEqual([{ user_id: id }]);
  });
});

describe('a session that a provider opened', () => {
  test('belongs to a web browser, sets the cookies of a login, and appears in the audit log', async () => {
    const { id, email } = await newUser();
    const { browser, token } = await system.signIn(personOf(email));
    const { host } = new URL(system.origin);
    expect(browser.cookie(host, 'sso')).toBeUndefined();
    expect(browser.cookie(host, 'session-started')).toBe('1');
    const refreshed = await browser.request(`${system.origin}/session/refresh`, {
      method: 'POST',
      headers: { 'x-requested-with': 'gradeway' },
    });
    expect(refreshed.status).toBe(200);
    const client = createHttpClient({ baseUrl: system.origin, token: await tokenIn(refreshed) });
    expect((await client.get('/api/v3/me/sessions')).body.data).toMatchObject([
      { device_type: 'web', is_current: true },
    ]);
    expect(token).toBeDefined();
    const audit = `/api/v3/admin/audit?object_type=user&object_id=${id}`;
    const entries = (await system.auth.call('GET', audit, { token: system.auth.admin })).body.data;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'login.succeeded',
      'identity.linked',
      'user.created',
    ]);
    expect(entries[0]).toMatchObject({ address: '127.0.0.1', changes: { provider: [null, 'school'] } });
    expect(JSON.stringify(entries[1].changes)).toBe('{"provider":[null,"school"]}');
  });

  test('is ended by a logout, both in auth and in the browser', async () => {
    const { email } = await newUser();
    const { browser, token } = await system.signIn(personOf(email));
    const response = await browser.request(`${system.origin}/session`, {
      method: 'DELETE',
      headers: { 'x-requested-with': 'gradeway' },
    });
    // This provider has no `end_session`.
    expect([response.status, response.headers.get('logout-location')]).toEqual([204, null]);
    expect((await system.auth.call('GET', '/api/v3/me', { token })).status).toBe(401);
  });
});

describe('a response from the provider', () => {
  /** Goes to the provider and returns the URL that the provider redirects to, without opening it. */
  async function callbackOf(email: string, browser = createCookieBrowser()) {
    system.provider.person = personOf(email);
    const isBack = (url: URL) => url.pathname.endsWith('/callback');
    const response = await browser.follow(`${system.origin}/session/sso/school`, isBack);
    return { browser, url: response.headers.get('location') ?? '' };
  }
  const open = async (browser: SignedIn['browser'], url: string) =>
    (await browser.request(url)).headers.get('location');

  test('works once: neither its state nor its code works again', async () => {
    const { email } = await newUser();
    const { browser, url } = await callbackOf(email);
    const copy = browser.clone();
    expect(await open(browser, url)).toBe('/');
    expect(await open(copy, url)).toBe(failed('failed'));
    const { browser: other, url: otherUrl } = await callbackOf(email);
    const mixed = new URL(otherUrl);
    mixed.searchParams.set('code', new URL(url).searchParams.get('code') ?? '');
    expect(await open(other, mixed.href)).toBe(failed('failed'));
  });

  test('sent twice simultaneously opens one session', async () => {
    const { email } = await newUser();
    const { browser, url } = await callbackOf(email);
    const copies = [browser.clone(), browser.clone(), browser.clone()];
    const locations = await Promise.all(copies.map((copy) => open(copy, url)));
    expect(locations.toSorted()).toEqual(['/', failed('failed'), failed('failed')]);
  });

  test('is rejected in a different browser or with a different state', async () => {
    const { email } = await newUser();
    const { browser, url } = await callbackOf(email);
    expect(await open(createCookieBrowser(), url)).toBe(failed('failed'));
    const { browser: attacker } = await callbackOf(newAddress());
    expect(await open(attacker, url)).toBe(failed('failed'));
    // The attempts have not cancelled the sign-in.
    expect(await open(browser, url)).toBe('/');
  });

  test('is refused after ten minutes', async () => {
    const { email } = await newUser();
    const { browser, url } = await callbackOf(email);
    const state = new URL(url).searchParams.get('state') ?? '';
    const hash = createHash('sha256').update(state).digest('base64url');
    const expire =
      "UPDATE auth.sign_ins SET expires_at = expires_at - interval '10 minutes' WHERE state_hash = $1 RETURNING next";
    expect(await system.auth.rows(expire, hash)).toHaveLength(1);
    expect(await open(browser, url)).toBe(failed('failed'));
  });

  test('is refused if it names another issuer, which prevents mix-ups of providers', async () => {
    const { email } = await newUser();
    const { browser, url } = await callbackOf(email);
    const other = new URL(url);
    expect(other.searchParams.get('iss')).toBe(system.provider.issuer);
    other.searchParams.set('iss', 'http://localhost:1');
    expect(await open(browser, other.href)).toBe(failed('failed'));
  });

  test('that reports an error leads to the login page', async () => {
    const { browser, url } = await callbackOf((await newUser()).email);
    const refused = new URL(url);
    refused.searchParams.delete('code');
    refused.searchParams.set('error', 'access_denied');
    expect(await open(browser, refused.href)).toBe(failed('failed'));
  });

  test('to a HEAD request consumes nothing', async () => {
    const { browser, url } = await callbackOf((await newUser()).email);
    expect((await browser.request(url, { method: 'HEAD' })).status).toBe(405);
    expect(await open(browser, url)).toBe('/');
  });
});

describe('the page after a sign-in', () => {
  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%5Cevil.example',
    '\\\\evil.example',
    '/..//evil.example',
    '/./%2F/evil.example',
    '/\tevil',
    '/%09/evil.example',
    'javascript:alert(1)',
    'my',
    '/session/sso/school?link=1',
    `/${'a'.repeat(3_000)}`,
  ])('%j leads to the start page', async (next) => {
    const { email } = await newUser();
    const { location } = await system.signIn(personOf(email), { query: `?next=${encodeURIComponent(next)}` });
    expect(location).toBe('/');
  });
});

describe('an identity', () => {
  const link = (browser: SignedIn['browser'], person: ReturnType<typeof personOf>) =>
    system.signIn(person, { browser, query: '?link=1&next=/account' });

  test('is linked by its owner while logged in, even an administrator, who then signs in with it', async () => {
    const browser = await system.logInByPassword(administrator);
    const person = personOf(newAddress('elsewhere.example'));
    const { location, token } = await link(browser, person);
    expect(location).toBe('/account');
    const [identity, ...others] = await identitiesOf(token);
    expect([identity.email, others]).toEqual([person.email, []]);
    const signedIn = await system.signIn(person);
    expect(signedIn.location).toBe('/');
    expect(await me(signedIn.token)).toMatchObject({ email: administrator.email, role: 'admin' });
    // Again changes nothing.
    expect((await link(browser, person)).location).toBe('/account');
    const client = createHttpClient({ baseUrl: system.origin, token });
    expect((await client.delete(`/api/v3/me/identities/${identity.id}`)).status).toBe(204);
    expect((await client.delete(`/api/v3/me/identities/${identity.id}`)).status).toBe(404);
    expect((await system.signIn(person)).location).toBe(failed('no_account'));
    // Its session has ended with it.
    expect((await system.auth.call('GET', '/api/v3/me', { token: signedIn.token })).status).toBe(401);
    expect((await client.get('/api/v3/me')).status).toBe(200);
  });

  test("is never two people's, and one person may have several", async () => {
    const [one, other] = [await newUser(), await newUser()];
    const person = personOf(one.email);
    expect((await system.signIn(person)).location).toBe('/');
    const browser = await system.logInByPassword(other);
    expect((await link(browser, person)).location).toBe(failed('taken'));
    const { token } = await link(browser, personOf(newAddress()));
    await link(browser, personOf(newAddress()));
    expect(await identitiesOf(token)).toHaveLength(2);
    const stranger = createHttpClient({ baseUrl: system.origin, token: (await system.signIn(person)).token });
    const [{ id }] = await identitiesOf(token);
    expect((await stranger.delete(`/api/v3/me/identities/${id}`)).status).toBe(404);
  });

  test('is linked to only one of two accounts that link it simultaneously', async () => {
    const browsers = await Promise.all(
      [newUser(), newUser()].map(async (user) => system.logInByPassword(await user)),
    );
    const person = personOf(newAddress());
    const both = await Promise.all(browsers.map((browser) => link(browser, person)));
    expect(both.map(({ location }) => location).toSorted()).toEqual(['/account', failed('taken')]);
  });

  test('is not linked without a session, by a page of another site, or after the session has ended', async () => {
    const person = personOf(newAddress());
    expect((await link(createCookieBrowser(), person)).location).toBe(failed('failed'));
    const browser = await system.logInByPassword(await newUser());
    const headers = { 'sec-fetch-site': 'same-site' };
    const start = `${system.origin}/session/sso/school?link=1`;
    expect((await browser.request(start, { headers })).headers.get('location')).toBe(failed('failed'));
    system.provider.person = person;
    const isBack = (url: URL) => url.pathname.endsWith('/callback');
    const response = await browser.follow(start, isBack);
    await browser.clone().request(`${system.origin}/session`, {
      method: 'DELETE',
      headers: { 'x-requested-with': 'gradeway' },
    });
    const finished = await browser.request(response.headers.get('location') ?? '');
    expect(finished.headers.get('location')).toBe(failed('failed'));
    expect(await system.auth.rows('SELECT id FROM auth.identities WHERE subject = $1', person.sub)).toEqual(
      [],
    );
  });

  test('ends with its account', async () => {
    const { id, email } = await newUser();
    const person = personOf(email);
    const { token } = await system.signIn(person);
    expect(token).toBeDefined();
    const path = `/api/v3/admin/users/${id}`;
    expect((await system.auth.call('DELETE', path, { token: system.auth.admin })).status).toBe(204);
    expect(await system.auth.rows('SELECT id FROM auth.identities WHERE user_id = $1', id)).toEqual([]);
    expect((await system.signIn(person)).location).toBe(failed('no_account'));
  });
});

test("an administrator's second factor is asked for, and a code works once", async () => {
  const { email } = await newUser({ role: 'admin' });
  const token = await system.auth.tokenOf({ email });
  const { secret } = (await system.auth.call('POST', '/api/v3/mfa/totp', { token })).body.data;
  const confirm = { token, body: { code: totpCode(secret) } };
  const confirmed = await system.auth.call('POST', '/api/v3/mfa/totp/confirm', confirm);
  const [recovery] = confirmed.body.data.recovery_codes;
  const browser = createCookieBrowser();
  const loggedIn = await browser.request(`${system.origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'gradeway' },
    body: JSON.stringify({ email, password, totp: totpCode(secret, 1) }),
  });
  expect(loggedIn.status).toBe(200);
  const person = personOf(newAddress());
  expect((await system.signIn(person, { browser, query: '?link=1' })).location).toBe('/');

  const { browser: fresh, location, token: none } = await system.signIn(person, { query: '?next=/console' });
  expect([location, none]).toEqual(['/login?second_factor=school&next=%2Fconsole', undefined]);
  const copy = fresh.clone();
  const complete = (from: SignedIn['browser'], totp: string) =>
    from.request(`${system.origin}/session/sso`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'gradeway' },
      body: JSON.stringify({ provider: 'school', totp }),
    });
  expect((await complete(fresh, '000000')).status).toBe(401);
  const completed = await complete(fresh, recovery);
  expect([completed.status, fresh.cookie(new URL(system.origin).host, 'session')]).toEqual([
    200,
    expect.any(String),
  ]);
  expect(await me(await tokenIn(completed))).toMatchObject({ email });
  expect((await complete(copy, recovery)).status).toBe(401);
});
