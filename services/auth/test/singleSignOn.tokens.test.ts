import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { personOf, type SsoSystem, startSsoSystem } from './ssoSystem.ts';

let system: SsoSystem;
beforeAll(async () => {
  system = await startSsoSystem({ provider: { create: true } });
});
afterAll(() => system.close());
afterEach(() => {
  system.provider.alterIdToken = undefined;
});

const newPerson = () => personOf(`${randomUUID()}@school.example`);
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);

/** Signs in with an altered ID token. */
async function locationWith(alter: (idToken: string) => string | Promise<string>): Promise<string> {
  system.provider.alterIdToken = alter;
  return (await system.signIn(newPerson())).location;
}

describe('an ID token', () => {
  test.each<[string, (idToken: string) => string | Promise<string>]>([
    ['without a signature', (token) => `${encode({ alg: 'none' })}.${token.split('.')[1]}.`],
    [
      'with HS256 and the secret of the client',
      (token) => {
        const signed = `${encode({ alg: 'HS256' })}.${token.split('.')[1]}`;
        const hmac = createHmac('sha256', system.provider.clientSecret).update(signed).digest('base64url');
        return `${signed}.${hmac}`;
      },
    ],
    [
      'signed with another key',
      (token) =>
        new SignJWT(decodeJwt(token))
          .setProtectedHeader({ alg: 'RS256' })
          .sign(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
    ],
    [
      'with changed claims',
      (token) => token.replace(/\.[^.]+\./, `.${encode({ ...decodeJwt(token), sub: 'other' })}.`),
    ],
    [
      'of another issuer',
      (token) => system.provider.sign({ ...decodeJwt(token), iss: 'http://localhost:1' }),
    ],
    ['for another client', (token) => system.provider.sign({ ...decodeJwt(token), aud: 'another client' })],
    ['of another sign-in', (token) => system.provider.sign({ ...decodeJwt(token), nonce: 'another nonce' })],
    ['without a nonce', (token) => system.provider.sign({ ...decodeJwt(token), nonce: undefined })],
    [
      'that expired two minutes ago',
      (token) => system.provider.sign({ ...decodeJwt(token), exp: now() - 120 }),
    ],
  ])('%s is refused', async (_, alter) => {
    expect(await locationWith(alter)).toBe('/login?error=sso_failed');
  });

  test('is accepted while clocks differ by less than a minute', async () => {
    const late = (token: string) => system.provider.sign({ ...decodeJwt(token), exp: now() - 30 });
    expect(await locationWith(late)).toBe('/');
  });
});

describe('a new account', () => {
  test('has the claims of the provider, no usable password and the role user', async () => {
    const person = newPerson();
    const { token } = await system.signIn(person);
    const { body } = await system.auth.call('GET', '/api/v3/me', { token });
    const { email } = person as { email?: string };
    expect(body.data).toMatchObject({
      first_name: 'Ada',
      last_name: 'Lovelace',
      email,
      role: 'user',
      is_verified: true,
    });
    for (const guess of ['', ' ', 'password'])
      expect((await system.auth.logIn({ email: email ?? '' }, { password: guess })).status).not.toBe(200);
  });

  test('is created once by two simultaneous first sign-ins', async () => {
    const person = newPerson();
    const signedIn = await Promise.all([1, 2, 3, 4].map(() => system.signIn(person)));
    expect(signedIn.map(({ location }) => location)).toEqual(['/', '/', '/', '/']);
    const rows = await system.auth.rows(
      'SELECT DISTINCT user_id FROM auth.identities WHERE subject = $1',
      person.sub,
    );
    expect(rows).toHaveLength(1);
  });

  test('is not created with the address of an account that may not be linked', async () => {
    const { email } = await system.auth.newUser();
    const { location } = await system.signIn(personOf(email, { email_verified: false }));
    expect(location).toBe('/login?error=sso_no_account');
  });
});

describe('a logout token', () => {
  const event = 'http://schemas.openid.net/event/backchannel-logout';
  const claimsOf = (claims: object) => ({
    ...{
      iss: system.provider.issuer,
      aud: system.provider.clientId,
      jti: randomUUID(),
      events: { [event]: {} },
    },
    ...{ iat: now(), exp: now() + 120 },
    ...claims,
  });
  const send = (token: string, provider = 'school') =>
    system.auth.call('POST', `/api/v3/sso/${provider}/backchannel-logout`, {
      body: `logout_token=${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const statusOf = async (token: string | undefined) =>
    (await system.auth.call('GET', '/api/v3/me', { token })).status;
  const sidOf = async (subject: string) => {
    const [row] = await system.auth.rows(
      'SELECT sid FROM auth.sso_sessions WHERE subject = $1 ORDER BY session_id DESC',
      subject,
    );
    return String(row?.sid);
  };

  test('ends the session with its sid once, but no other sessions, including password sessions', async () => {
    const account = await system.auth.newUser();
    const person = personOf(account.email);
    const other = await system.signIn(person);
    const ended = await system.signIn(person);
    const byPassword = await system.auth.tokenOf(account);
    const token = await system.provider.sign(claimsOf({ sid: await sidOf(person.sub) }), {
      typ: 'logout+jwt',
    });
    const answer = await send(token);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(await Promise.all([ended, other].map((each) => statusOf(each.token)))).toEqual([401, 200]);
    expect(await statusOf(byPassword)).toBe(200);
    expect((await send(token)).status).toBe(400);
  });

  test('ends all sessions of its subject', async () => {
    const person = newPerson();
    const sessions = [await system.signIn(person), await system.signIn(person)];
    expect((await send(await system.provider.sign(claimsOf({ sub: person.sub })))).status).toBe(200);
    expect(await Promise.all(sessions.map(({ token }) => statusOf(token)))).toEqual([401, 401]);
  });

  test('needs no expiry: it counts for five minutes', async () => {
    const person = newPerson();
    const { token } = await system.signIn(person);
    const logout = claimsOf({ sub: person.sub, exp: undefined });
    expect((await send(await system.provider.sign(logout))).status).toBe(200);
    expect(await statusOf(token)).toBe(401);
  });

  test('of the provider itself arrives when a person logs out there', async () => {
    const person = newPerson();
    const { browser, token } = await system.signIn(person);
    const page = await (await browser.request(`${system.provider.issuer}/session/end`)).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
    await browser.request(`${system.provider.issuer}/session/end/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
    });
    await expect.poll(() => statusOf(token)).toBe(401);
  });

  test.each<[string, () => object, object?]>([
    ['is more than five minutes old', () => ({ iat: now() - 310, exp: now() + 120 })],
    ['was issued in the future', () => ({ iat: now() + 120, exp: now() + 240 })],
    ['has expired', () => ({ exp: now() - 120 })],
    ['is an ID token', () => ({ nonce: 'of an ID token' })],
    ['has no event', () => ({ events: {} })],
    ['names nobody', () => ({ sub: undefined })],
    ['has no jti', () => ({ jti: undefined })],
    ['is for another client', () => ({ aud: 'another client' })],
    ['is of another issuer', () => ({ iss: 'http://localhost:1' })],
    ['has another type', () => ({}), { typ: 'at+jwt' }],
  ])('that %s is refused', async (_, claims, header = {}) => {
    const person = newPerson();
    const { token } = await system.signIn(person);
    const refused = await send(
      await system.provider.sign(claimsOf({ sub: person.sub, ...claims() }), header),
    );
    expect([refused.status, await statusOf(token)]).toEqual([400, 200]);
  });

  test('is rejected without a signature, outside a form or for an unknown provider', async () => {
    const unsigned = `${encode({ alg: 'none' })}.${encode(claimsOf({ sub: 'x' }))}.`;
    expect((await send(unsigned)).status).toBe(400);
    expect((await send('')).status).toBe(400);
    expect((await send(await system.provider.sign(claimsOf({ sub: 'x' })), 'unknown')).status).toBe(404);
  });
});
