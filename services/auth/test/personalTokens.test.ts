import { randomUUID } from 'node:crypto';
import { AuthService as AuthRpcs } from '@gradeway/proto/auth';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { serviceSecret } from '@gradeway/test/fakePeers';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimsOf } from './apiTokens.ts';
import { type Account, type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

const as = (token: string, method: string, path: string, body?: unknown) =>
  auth.call(method, `/api/v3/${path}`, { token, body });
const statusOf = async (token: string) => (await as(token, 'GET', 'me/token')).status;

async function newToken(properties: object = {}, role = 'user') {
  const account = await auth.newUser({ role });
  const session = await auth.tokenOf(account);
  const wanted = { name: 'Laptop', scopes: ['grades:read'], ...properties };
  const { status, body } = await as(session, 'POST', 'me/tokens', wanted);
  expect(status).toBe(201);
  return { account, session, token: body.data.token as string, data: body.data };
}

test('a person issues, lists and ends tokens for their own programs', async () => {
  const { account, session, token, data } = await newToken();
  const { token: _, ...listed } = data;
  expect(listed).toEqual({
    id: expect.any(Number),
    name: 'Laptop',
    scopes: ['grades:read'],
    created_at: expect.any(String),
    expires_at: expect.any(String),
    last_used_at: null,
  });
  expect(claimsOf(token)).toMatchObject({
    sub: String(account.id),
    role: 'user',
    token_kind: 'personal',
    scope: 'grades:read',
  });
  expect(claimsOf(token)).not.toHaveProperty('sid');
  expect(await as(session, 'GET', 'me/tokens')).toMatchObject({
    body: { data: [listed], meta: { total: 1 } },
  });
  expect(await as(token, 'GET', 'me/token')).toMatchObject({
    body: { data: { kind: 'personal', name: 'Laptop', scopes: ['grades:read'], course_ids: null } },
  });
  const stranger = await auth.tokenOf(await auth.newUser());
  expect((await as(stranger, 'DELETE', `me/tokens/${data.id}`)).status).toBe(404);
  expect((await as(session, 'DELETE', `me/tokens/${data.id}`)).status).toBe(204);
  expect(await statusOf(token)).toBe(401);
});

test.each([
  ['user', 'grades:write'],
  ['user', 'users:read'],
  ['instructor', 'audit:read'],
  ['instructor', 'users:write'],
])('a role %s cannot get the scope %s', async (role, scope) => {
  const session = await auth.tokenOf(await auth.newUser({ role }));
  expect(await as(session, 'POST', 'me/tokens', { name: 'x', scopes: ['grades:read', scope] })).toMatchObject(
    {
      status: 422,
      body: { message: 'Invalid Data', errors: { scopes: [`Your role does not allow the scope ${scope}.`] } },
    },
  );
});

test.each<[string, (account: Account) => Promise<unknown>]>([
  ['a blocked account', ({ id }) => as(auth.admin, 'PATCH', `admin/users/${id}`, { is_blocked: true })],
  ['a changed role', ({ id }) => as(auth.admin, 'PATCH', `admin/users/${id}`, { role: 'instructor' })],
  ['a deleted account', ({ id }) => as(auth.admin, 'DELETE', `admin/users/${id}`)],
  ['an erased person', ({ id }) => as(auth.admin, 'POST', `admin/users/${id}/erasure`)],
])('%s ends personal tokens', async (_, change) => {
  const { account, token } = await newToken();
  await change(account);
  expect(await statusOf(token)).toBe(401);
  const { jti } = claimsOf(token);
  expect(await auth.rows('SELECT token_id FROM auth.revocations WHERE token_id = $1', jti)).toHaveLength(1);
  expect(await auth.rows('SELECT 1 FROM auth.api_tokens WHERE token_id = $1', jti)).toEqual([]);
});

test('neither a logout, a changed name nor a changed password ends personal tokens', async () => {
  const { account, session, token } = await newToken();
  await as(auth.admin, 'PATCH', `admin/users/${account.id}`, { first_name: 'Grace' });
  await as(auth.admin, 'PATCH', `admin/users/${account.id}`, { password: 'another password' });
  await as(session, 'POST', 'logout');
  expect(await statusOf(token)).toBe(200);
});

test('an administrator cannot create another administrator with a personal token', async () => {
  const { token } = await newToken({ scopes: ['users:write'] }, 'admin');
  const person = await auth.newUser();
  const { status } = await as(token, 'PATCH', `admin/users/${person.id}`, { role: 'admin' });
  expect(status).toBe(403);
});

test('an account has at most 50 tokens', async () => {
  const { account, session } = await newToken();
  await auth.rows(
    `INSERT INTO auth.api_tokens (token_id, user_id, name, scopes, key_id, expires_at)
     SELECT gen_random_uuid(), user_id, name, scopes, key_id, expires_at
     FROM auth.api_tokens, generate_series(1, 49) WHERE user_id = $1`,
    account.id,
  );
  expect(await as(session, 'POST', 'me/tokens', { name: 'x', scopes: ['grades:read'] })).toMatchObject({
    status: 409,
    body: { message: 'Too Many Tokens' },
  });
});

test('a forged token is rejected, regardless of its algorithm', async () => {
  const { token } = await newToken({ scopes: ['users:write'] }, 'admin');
  const [head = '', payload = '', signature = ''] = token.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const { keys } = (await auth.call('GET', '/.well-known/jwks.json')).body;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const more = { ...claimsOf(token), scope: 'users:write audit:read' };
  const { typ, kid } = header;
  const forged = [
    `${head}.${part(more)}.${signature}`,
    `${part({ ...header, alg: 'none' })}.${payload}.`,
    `${part({ ...header, alg: 'none' })}.${part(more)}.`,
    jwt.sign(more, JSON.stringify(keys[0]), { algorithm: 'HS256', header: { alg: 'HS256', typ, kid } }),
    jwt.sign(more, keys[0].x, { algorithm: 'HS256', header: { alg: 'HS256', typ, kid } }),
  ];
  for (const each of forged) expect(await statusOf(each)).toBe(401);
  expect(await statusOf(token)).toBe(200);
});

test('the time of the last use is the latest that the gateway has reported', async () => {
  const { session, token } = await newToken();
  const client = createGrpcClient(AuthRpcs, {
    ...{ address: auth.service.grpcAddress, secret: serviceSecret, caller: 'gateway', callee: 'auth' },
  });
  const tokenId = String(claimsOf(token).jti);
  const report = (seconds: number) =>
    client.call('recordTokenUse', { uses: [{ tokenId, usedAt: { seconds, nanos: 0 } }] });
  const now = Math.floor(Date.now() / 1000);
  await report(now - 60);
  await report(now - 600);
  await client.call('recordTokenUse', {
    uses: [{ tokenId: randomUUID(), usedAt: { seconds: now, nanos: 0 } }],
  });
  client.close();
  const { body } = await as(session, 'GET', 'me/tokens');
  expect(Date.parse(body.data[0].last_used_at) / 1000).toBe(now - 60);
});
