import { randomUUID } from 'node:crypto';
import { AuthService as AuthRpcs } from '@gradeway/proto/auth';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { personOf, type SsoSystem, startSsoSystem } from './ssoSystem.ts';

let system: SsoSystem;
beforeAll(async () => {
  system = await startSsoSystem({ provider: { create: true } });
});
afterAll(() => system.close());

const me = async (token: string | undefined) =>
  (await system.auth.call('GET', '/api/v3/me', { token })).body.data;

/** Somebody creates an account with an address that the provider has not verified. */
async function claimAddress() {
  const email = `${randomUUID()}@school.example`;
  const { token } = await system.signIn(personOf(email, { sub: randomUUID(), email_verified: false }));
  const { id } = await me(token);
  return { id: id as number, email };
}

const findByEmail = async (email: string) => {
  const client = createGrpcClient(AuthRpcs, {
    ...{ address: system.auth.service.grpcAddress, secret: serviceSecret, caller: 'courses', callee: 'auth' },
  });
  const { users } = await client.call('findUsers', { emails: [email] });
  client.close();
  return (users ?? []).map(({ userId }) => userId);
};

test("the address' owner never gets into the account of the person who claimed it", async () => {
  const { id, email } = await claimAddress();
  expect((await system.signIn(personOf(email))).location).toBe('/login?error=sso_no_account');
  await system.auth.call('DELETE', `/api/v3/admin/users/${id}`, { token: system.auth.admin });
  const { token } = await system.signIn(personOf(email));
  expect(await me(token)).toMatchObject({ email, is_verified: true });
});

test('no one-time code for the account is sent to the address', async () => {
  const { id, email } = await claimAddress();
  const before = await codes();
  expect((await system.auth.call('POST', '/api/v3/login/otp', { body: { email } })).status).toBe(200);
  await waitFor(async () => (await codes()) > before);
  expect(await system.auth.rows('SELECT key FROM auth.login_codes WHERE user_id = $1', id)).toEqual([]);
});

const codes = async () => (await system.auth.rows('SELECT key FROM auth.login_codes')).length;

test('rosters do not find the account by its address until an administrator has verified the address', async () => {
  const { id, email } = await claimAddress();
  expect(await findByEmail(email)).toEqual([]);
  const path = `/api/v3/admin/users/${id}`;
  await system.auth.call('PATCH', path, { token: system.auth.admin, body: { is_verified: true } });
  expect(await findByEmail(email)).toEqual([id]);
});

test('rosters find an account whose address the provider has verified', async () => {
  const email = `${randomUUID()}@school.example`;
  const { id } = await me((await system.signIn(personOf(email))).token);
  expect(await findByEmail(email)).toEqual([id]);
});
