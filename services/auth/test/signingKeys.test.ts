import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { createHttpClient } from '@gradeway/test/httpClient';
import { startService } from '@gradeway/test/serviceProcess';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, type AuthService, startAuthService } from './authService.ts';

const run = promisify(execFile);

let auth: AuthService;
let user: Account;
beforeAll(async () => {
  auth = await startAuthService();
  user = await auth.newUser();
});
afterAll(() => auth.close());

const jwks = async () => (await auth.call('GET', '/.well-known/jwks.json')).body.keys as { kid: string }[];
const me = (token: string) => auth.call('GET', '/api/v3/me', { token });
const kidOf = (token: string) => jwt.decode(token, { complete: true })?.header.kid;
const keys = () => auth.rows('SELECT * FROM auth.signing_keys ORDER BY signs_from');
const restart = async () => {
  auth.service.kill('SIGKILL');
  await auth.service.start();
};

/**
 * Deletes all keys except the current signing key, so that tests do not affect each other. That key becomes a new one
 * first, because auth would create a successor for an old one.
 */
async function keepCurrentKey() {
  const current =
    'SELECT kid FROM auth.signing_keys WHERE signs_from <= now() ORDER BY signs_from DESC LIMIT 1';
  await auth.rows(`UPDATE auth.signing_keys SET signs_from = now() WHERE kid = (${current})`);
  await auth.rows(`DELETE FROM auth.signing_keys WHERE kid <> (${current})`);
}

/** Runs one of auth's programs, such as `command rotateKeys`, until it exits. */
function runProgram(commandLine: string, env: Record<string, string> = {}) {
  const [name, ...parameters] = commandLine.split(' ');
  const program = fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
  const { database } = auth;
  return run(process.execPath, [program, ...parameters], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url('auth'),
      EVENTS_URL: database.url('broker'),
      SERVICE_SECRET: serviceSecret,
      PORT: '0',
      GRPC_PORT: '0',
      ADMIN_PORT: '0',
      ...auth.env,
      ...env,
    },
  });
}

test('the JWKS contains only the public key, and the database stores the private key encrypted', async () => {
  const [published] = await jwks();
  expect(published).toEqual({
    kty: 'EC',
    crv: 'P-256',
    alg: 'ES256',
    use: 'sig',
    x: expect.any(String),
    y: expect.any(String),
    kid: expect.any(String),
  });
  const stored = (await keys()).at(-1);
  const encrypted = stored?.sealed_private_key as Buffer;
  expect(encrypted.includes(Buffer.from('06082a8648ce3d030107', 'hex'))).toBe(false);
});

test('keys rotate without ending sessions (D11)', async () => {
  await keepCurrentKey();
  const before = await auth.tokenOf(user);

  const { stdout } = await runProgram('command rotateKeys');
  expect(stdout).toMatch(/^auth: created a new signing key; it signs from .+Z\n$/);
  expect((await runProgram('command rotateKeys')).stdout).toMatch(/already pending/);
  await restart();
  const [first, second] = await keys();
  const [announced] = await auth.rows(
    'SELECT extract(epoch FROM max(signs_from) - max(created_at))::float8 AS seconds FROM auth.signing_keys',
  );
  expect(announced?.seconds).toBeGreaterThan(599);
  expect((await jwks()).map(({ kid }) => kid)).toEqual([first?.kid, second?.kid]);
  expect(kidOf(await auth.tokenOf(user))).toBe(first?.kid);

  await auth.rows('UPDATE auth.signing_keys SET signs_from = now() WHERE kid = $1', second?.kid);
  await restart();
  const after = await auth.tokenOf(user);
  expect(kidOf(after)).toBe(second?.kid);
  for (const token of [before, after]) expect((await me(token)).status).toBe(200);
  const refreshed = await auth.call('POST', '/api/v3/token/refresh', { token: before });
  expect(kidOf(refreshed.body.access_token)).toBe(second?.kid);
});

test('a key stays published while a token for programs that it signed is valid', async () => {
  await keepCurrentKey();
  const { body } = await auth.call('POST', '/api/v3/me/tokens', {
    token: await auth.tokenOf(user),
    body: { name: 'Phone', scopes: ['grades:read'] },
  });
  await runProgram('command rotateKeys');
  const [first, second] = await keys();
  const signFrom = 'UPDATE auth.signing_keys SET signs_from = now() - $2::interval WHERE kid = $1';
  await auth.rows(signFrom, first?.kid, '120 days');
  await auth.rows(signFrom, second?.kid, '60 days');
  await restart();
  expect((await jwks()).map(({ kid }) => kid)).toEqual([first?.kid, second?.kid]);
  expect((await auth.call('GET', '/api/v3/me/token', { token: body.data.token })).status).toBe(200);

  await auth.rows("UPDATE auth.api_tokens SET expires_at = now() - interval '1 hour'");
  await restart();
  expect((await jwks()).map(({ kid }) => kid)).toEqual([second?.kid]);
  await auth.rows('DELETE FROM auth.api_tokens');
});

test('a retired key loses its private part, and is unpublished when its last token can no longer be refreshed', async () => {
  await keepCurrentKey();
  await auth.rows("UPDATE auth.signing_keys SET signs_from = now() - interval '1 hour'");
  await auth.rows(
    `INSERT INTO auth.signing_keys (kid, public_jwk, sealed_private_key, signs_from)
     SELECT 'old', public_jwk, sealed_private_key, now() - interval '2 hours' FROM auth.signing_keys`,
  );
  await restart();
  const [old, current] = await keys();
  expect([old?.kid, current?.kid]).toEqual(['old', expect.any(String)]);
  expect(old?.sealed_private_key).toBeNull();
  expect(current?.sealed_private_key).not.toBeNull();
  expect(await jwks()).toHaveLength(2);

  await auth.rows("UPDATE auth.signing_keys SET signs_from = signs_from - interval '15 days'");
  await restart();
  expect((await jwks()).map(({ kid }) => kid)).toEqual([current?.kid]);
});

test('replicas together create only one successor when the key has reached its maximum age', async () => {
  await keepCurrentKey();
  await auth.rows("UPDATE auth.signing_keys SET signs_from = now() - interval '91 days'");
  auth.service.kill('SIGKILL');
  const replica = () =>
    startService({
      service: 'auth',
      database: auth.database,
      env: auth.env,
      peers: { authGrpc: '127.0.0.1:1', coursesGrpc: '127.0.0.1:1' },
      tokens: { jwksUrl: 'http://127.0.0.1:1' },
    });
  const [other] = await Promise.all([replica(), auth.service.start()]);
  expect(await keys()).toHaveLength(2);
  expect(await jwks()).toHaveLength(2);
  const token = await auth.tokenOf(user);
  const answer = await createHttpClient({ baseUrl: other.url, token }).get('/api/v3/me');
  expect(answer.status).toBe(200);
  await other.stop();
});

test('auth refuses to start with another KEY_ENCRYPTION_SECRET and names the cause', async () => {
  const env = { KEY_ENCRYPTION_SECRET: 'another secret for the tests', OTP_TO_LOG: '1' };
  const start = runProgram('main', env);
  await expect(start).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('KEY_ENCRYPTION_SECRET is not the one'),
  });
});
