import { AuthService as AuthRpcs } from '@gradeway/proto/auth';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { checkResponse } from '@gradeway/test/openApi';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, administrator, password, startAuthService } from './authService.ts';

let auth: AuthService;
let withoutPolicy: AuthService;
beforeAll(async () => {
  [auth, withoutPolicy] = await Promise.all([
    startAuthService({ REAUTHENTICATION: 'required' }),
    startAuthService(),
  ]);
});
afterAll(() => Promise.all([auth.close(), withoutPolicy.close()]));

const required = { status: 403, body: { message: 'Reauthentication Required', errors: null } };
const adminSession = () => auth.tokenOf(administrator, { password: administrator.password });
const reauthenticate = (token: string, given = administrator.password) =>
  auth.call('POST', '/api/v3/reauthenticate', { token, body: { password: given } });
const change = (token: string, id: number, body: unknown) =>
  auth.call('PATCH', `/api/v3/admin/users/${id}`, { token, body });
const unique = () => crypto.randomUUID().slice(0, 8);
const newAdministrator = () => ({
  first_name: 'Grace',
  last_name: 'Hopper',
  email: `${unique()}@school.example`,
  password: 'a password of her own',
  role: 'admin',
});

describe('re-authentication', () => {
  test('an erasure requires re-authentication, and the OpenAPI document describes the refusal', async () => {
    const token = await adminSession();
    const path = `/api/v3/admin/users/${(await auth.newUser()).id}/erasure`;
    const refused = await auth.call('POST', path, { token });
    expect(refused).toMatchObject(required);
    checkResponse({ method: 'POST', path, ...refused });
    await reauthenticate(token);
    expect((await auth.call('POST', path, { token })).status).toBe(202);
  });

  test('the password of the account re-authenticates the session', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    expect(await reauthenticate(token, password)).toMatchObject({
      status: 200,
      body: { status: true, message: expect.any(String) },
    });
  });

  test.each([
    ['a wrong password', { password: 'wrong password' }, 'The password is incorrect.'],
    ['no password', {}, 'The password field is required.'],
  ])('%s is refused and does not re-authenticate', async (_, body, message) => {
    const token = await adminSession();
    const answer = await auth.call('POST', '/api/v3/reauthenticate', { token, body });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'Invalid Data', errors: { password: [message] } },
    });
    const { id } = await auth.newUser();
    expect(await change(token, id, { email: `${unique()}@school.example` })).toMatchObject(required);
  });

  test('ten wrong passwords block further attempts to re-authenticate', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const statuses = [];
    for (let i = 0; i < 11; i += 1) statuses.push((await reauthenticate(token, 'wrong password')).status);
    expect(statuses).toEqual([...Array(10).fill(422), 429]);
    expect((await reauthenticate(token, password)).status).toBe(429);
  });
});

describe('with REAUTHENTICATION=required', () => {
  test.each<[string, () => unknown]>([
    ['a new email address', () => ({ email: `${unique()}@school.example` })],
    ['a new mobile number', () => ({ mobile: '+4366012345678' })],
    ['the removal of a mobile number', () => ({ mobile: null })],
    ['the role admin', () => ({ role: 'admin' })],
    ['the role instructor', () => ({ role: 'instructor' })],
    ['a new password', () => ({ password: `password ${unique()}` })],
  ])('%s needs a session that has re-authenticated', async (_, body) => {
    const [token, { id }] = [await adminSession(), await auth.newUser()];
    expect(await change(token, id, body())).toMatchObject(required);
    await reauthenticate(token);
    expect((await change(token, id, body())).status).toBe(200);
    await auth.call('DELETE', `/api/v3/admin/users/${id}`, { token });
  });

  test.each(['admin', 'user'])(
    'creating an account with the role %s requires re-authentication',
    async (role) => {
      const token = await adminSession();
      const create = () =>
        auth.call('POST', '/api/v3/admin/users', { token, body: { ...newAdministrator(), role } });
      expect(await create()).toMatchObject(required);
      await reauthenticate(token);
      expect((await create()).status).toBe(201);
    },
  );

  test('other changes and unchanged addresses need no re-authentication', async () => {
    const [token, user] = [await adminSession(), await auth.newUser()];
    const unchanged = { first_name: 'Augusta', email: user.email, mobile: user.mobile, role: 'user' };
    expect((await change(token, user.id, unchanged)).status).toBe(200);
    expect((await change(token, user.id, { is_blocked: true })).status).toBe(200);
  });

  test('a stolen token cannot set the password that would re-authenticate its session', async () => {
    const token = await adminSession();
    const { body } = await auth.call('GET', '/api/v3/me', { token });
    const setOwn = () => change(token, body.data.id, { password: 'a password of the thief' });
    const refused = {
      status: 422,
      body: {
        message: 'Invalid Data',
        errors: { password: [expect.stringContaining('PUT /api/v3/password')] },
      },
    };
    expect(await setOwn()).toMatchObject(refused);
    expect((await auth.logIn(administrator, { password: 'a password of the thief' })).status).toBe(401);
    await reauthenticate(token);
    expect(await setOwn()).toMatchObject(refused);
  });

  test('re-authentication is valid only for its session, for ten minutes, and survives a refresh', async () => {
    const [first, second] = [await adminSession(), await adminSession()];
    const { id } = await auth.newUser();
    const changeEmail = (token: string) => change(token, id, { email: `${unique()}@school.example` });
    await reauthenticate(first);
    expect(await changeEmail(second)).toMatchObject(required);
    const { body } = await auth.call('POST', '/api/v3/token/refresh', { token: first });
    expect((await changeEmail(body.access_token)).status).toBe(200);
    await auth.rows(
      "UPDATE auth.sessions SET reauthenticated_at = reauthenticated_at - interval '10 minutes' WHERE id = $1",
      JSON.parse(Buffer.from(first.split('.')[1] ?? '', 'base64url').toString()).sid,
    );
    expect(await changeEmail(body.access_token)).toMatchObject(required);
  });

  test('invalid fields and unknown accounts are reported before a missing re-authentication', async () => {
    const [token, { id }] = [await adminSession(), await auth.newUser()];
    expect((await change(token, id, { email: 'nowhere' })).status).toBe(422);
    expect((await change(token, 999_999, { role: 'admin' })).status).toBe(404);
  });

  test('CheckReauthentication reports to other services whether a session has re-authenticated', async () => {
    const rpcs = createGrpcClient(AuthRpcs, {
      address: auth.service.grpcAddress,
      secret: serviceSecret,
      caller: 'courses',
      callee: 'auth',
    });
    const { body } = await auth.logIn(administrator, { password: administrator.password });
    const check = (sessionId: number) => rpcs.call('checkReauthentication', { sessionId });
    expect(await check(body.ss_record)).toEqual({ isReauthenticated: false });
    await reauthenticate(body.access_token);
    expect(await check(body.ss_record)).toEqual({ isReauthenticated: true });
    await auth.call('POST', '/api/v3/logout', { token: body.access_token });
    expect(await check(body.ss_record)).toEqual({ isReauthenticated: false });
    expect(await check(999_999)).toEqual({ isReauthenticated: false });
    rpcs.close();
  });
});

test('without the policy, no change needs re-authentication', async () => {
  const { id } = await withoutPolicy.newUser();
  const body = { email: `${unique()}@school.example`, role: 'admin' };
  const answer = await withoutPolicy.call('PATCH', `/api/v3/admin/users/${id}`, {
    token: withoutPolicy.admin,
    body,
  });
  expect(answer.status).toBe(200);
});
