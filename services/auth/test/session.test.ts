import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { accessTokenType } from '@gradeway/shared/auth/accessToken';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decryptPrivateKey } from '../src/tokens/encryptedPrivateKey.ts';
import { type AuthService, keySecret, startAuthService } from './authService.ts';

let auth: AuthService;
let kid: string;
let privateKey: KeyObject;
beforeAll(async () => {
  auth = await startAuthService({ REFRESH_WINDOW: '1h' });
  const [key] = await auth.rows('SELECT kid, sealed_private_key FROM auth.signing_keys');
  kid = String(key?.kid);
  privateKey = await decryptPrivateKey(key?.sealed_private_key as Buffer, kid, keySecret);
});
afterAll(() => auth.close());

const unauthorized = { status: 401, body: { message: 'UnauthorizedRequest', errors: null } };

const me = (token: string) => auth.call('GET', '/api/v3/me', { token });
const refresh = (token: string) => auth.call('POST', '/api/v3/token/refresh', { token });
const endGrace = (token: string) =>
  auth.rows('UPDATE auth.sessions SET replaced_token_until = now() WHERE id = $1', claimsOf(token).sid);
const claimsOf = (token: string) => jwt.decode(token) as jwt.JwtPayload;

/** The token with changed claims, signed with auth's key. */
const resigned = (token: string, claims: object, header: object = {}) =>
  jwt.sign({ ...claimsOf(token), ...claims }, privateKey, {
    algorithm: 'ES256',
    header: { alg: 'ES256', typ: accessTokenType, kid, ...header },
  });

describe('an access token (D11)', () => {
  test('an access token is an RFC 9068 JWT with the claims of D11', async () => {
    const user = await auth.newUser();
    const { body } = await auth.logIn(user);
    const { header, payload } = jwt.decode(body.access_token, { complete: true }) ?? {};
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid });
    expect(payload).toEqual({
      iss: 'gradeway',
      aud: 'gradeway-api',
      sub: String(user.id),
      sid: body.ss_record,
      role: 'user',
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: body.expires_in,
    });
  });

  test('a missing or malformed token is refused', async () => {
    expect(await auth.call('GET', '/api/v3/me')).toMatchObject(unauthorized);
    for (const authorization of ['Bearer', 'Basic YTpi'])
      expect(await auth.call('GET', '/api/v3/me', { headers: { authorization } })).toMatchObject(
        unauthorized,
      );
    for (const token of ['x', 'a.b.c', 'x'.repeat(5_000)]) {
      expect(await me(token)).toMatchObject(unauthorized);
      expect(await refresh(token)).toMatchObject(unauthorized);
    }
  });

  test('a forged token or one for another purpose is refused, including for a refresh', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const claims = claimsOf(token);
    const foreignKeys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const header = { typ: accessTokenType, kid };
    const publicPem = (await publicKeyOf(kid)).export({ format: 'pem', type: 'spki' });
    const forged = [
      unsigned({ ...header, alg: 'none' }, claims),
      hmacSigned({ ...header, alg: 'HS256' }, claims, publicPem),
      jwt.sign(claims, foreignKeys.privateKey, { algorithm: 'ES256', header: { ...header, alg: 'ES256' } }),
      resigned(token, {}, { typ: 'JWT' }),
      resigned(token, {}, { kid: randomUUID() }),
      resigned(token, { aud: 'another' }),
      resigned(token, { iss: 'another' }),
      resigned(token, { sub: 'admin' }),
      resigned(token, { role: 'superuser' }),
      resigned(token, { jti: randomUUID() }).replace(/[^.]+$/, ''),
      `${token.slice(0, -4)}AAAA`,
    ];
    for (const each of forged) {
      expect(await me(each)).toMatchObject(unauthorized);
      expect(await refresh(each)).toMatchObject(unauthorized);
    }
    expect((await me(token)).status).toBe(200);
  });
});

describe('a refresh (D12)', () => {
  test('a refresh returns a new token of the same session and revokes the old one', async () => {
    const { body } = await auth.logIn(await auth.newUser());
    const answer = await refresh(body.access_token);
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({
      token_type: 'Bearer',
      access_token: expect.any(String),
      expires_in: claimsOf(answer.body.access_token).exp,
    });
    expect(claimsOf(answer.body.access_token).sid).toBe(body.ss_record);
    expect(await me(body.access_token)).toMatchObject(unauthorized);
    expect((await me(answer.body.access_token)).status).toBe(200);
  });

  test('a refresh with a token that was already exchanged ends the whole session', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const { body } = await refresh(token);
    await endGrace(token);
    expect(await refresh(token)).toMatchObject(unauthorized);
    expect(await me(body.access_token)).toMatchObject(unauthorized);
    expect(await refresh(body.access_token)).toMatchObject(unauthorized);
  });

  test('a refresh accepts a token that expired within the window and refuses an older one', async () => {
    const now = Math.floor(Date.now() / 1000);
    const recent = resigned(await auth.tokenOf(await auth.newUser()), { exp: now - 3_500 });
    expect(await me(recent)).toMatchObject(unauthorized);
    expect((await refresh(recent)).status).toBe(200);
    const old = resigned(await auth.tokenOf(await auth.newUser()), { exp: now - 3_600 });
    expect(await refresh(old)).toMatchObject(unauthorized);
  });
});

describe('the grace period of a refresh (D52)', () => {
  test('a client whose refresh got no response refreshes again and continues its session', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const lost = await refresh(token);
    const { status, body } = await refresh(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      token_type: 'Bearer',
      access_token: expect.any(String),
      expires_in: lost.body.expires_in,
    });
    expect(claimsOf(body.access_token)).toMatchObject({
      sid: claimsOf(token).sid,
      exp: lost.body.expires_in,
    });
    expect(await me(token)).toMatchObject(unauthorized);
    expect((await me(body.access_token)).status).toBe(200);
    expect((await refresh(body.access_token)).status).toBe(200);
  });

  test('two tabs that refresh at once both receive a token that works', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const answers = await Promise.all([refresh(token), refresh(token)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of answers) expect((await me(body.access_token)).status).toBe(200);
  });

  test('the grace period of a refresh allows one use, and another use ends the session', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const answers = await Promise.all([refresh(token), refresh(token), refresh(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 401]);
    for (const { status, body } of answers)
      if (status === 200) expect(await me(body.access_token)).toMatchObject(unauthorized);
  });

  test('the grace period of a refresh covers only the last replaced token, and an earlier one ends the session', async () => {
    const first = await auth.tokenOf(await auth.newUser());
    const second = (await refresh(first)).body.access_token;
    const third = (await refresh(second)).body.access_token;
    expect(await refresh(first)).toMatchObject(unauthorized);
    expect(await me(third)).toMatchObject(unauthorized);
  });

  test('a refresh of an ended session has no grace period', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const { body } = await refresh(token);
    await auth.call('POST', '/api/v3/logout', { token: body.access_token });
    expect(await refresh(token)).toMatchObject(unauthorized);
  });
});

describe('a session', () => {
  test('a logout ends the session, including for a refresh, and leaves other sessions open', async () => {
    const user = await auth.newUser();
    const [token, other] = [await auth.tokenOf(user), await auth.tokenOf(user)];
    const answer = await auth.call('POST', '/api/v3/logout', { token });
    expect(answer).toMatchObject({ status: 204, body: null });
    expect(await me(token)).toMatchObject(unauthorized);
    expect(await refresh(token)).toMatchObject(unauthorized);
    expect(await auth.call('POST', '/api/v3/logout', { token })).toMatchObject(unauthorized);
    expect((await me(other)).status).toBe(200);
  });

  test('a session survives a restart of the process (D42)', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    auth.service.kill('SIGKILL');
    await auth.service.start();
    expect((await me(token)).status).toBe(200);
    expect((await refresh(token)).status).toBe(200);
  });

  test('GET /me returns the owner of the session', async () => {
    const user = await auth.newUser({ last_name: 'of  Lovelace ' });
    expect(await me(await auth.tokenOf(user))).toMatchObject({
      status: 200,
      body: {
        data: {
          id: user.id,
          first_name: 'Ada',
          last_name: 'of  Lovelace',
          name: 'Ada of  Lovelace',
          email: user.email,
          mobile: user.mobile,
          role: 'user',
          is_approved: true,
          is_blocked: false,
          is_verified: false,
          is_verified_mobile: false,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        },
      },
    });
  });
});

async function publicKeyOf(wanted: string): Promise<KeyObject> {
  const { body } = await auth.call('GET', '/.well-known/jwks.json');
  const key = body.keys.find((each: { kid: string }) => each.kid === wanted);
  return createPublicKey({ key, format: 'jwk' });
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const unsigned = (header: object, claims: object) => `${part(header)}.${part(claims)}.`;

// Built by hand, because jsonwebtoken refuses a public key as a secret; an attacker's tool does not.
function hmacSigned(header: object, claims: object, secret: string | Buffer): string {
  const text = `${part(header)}.${part(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}
