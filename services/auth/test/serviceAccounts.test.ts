import { AuthService as AuthRpcs } from '@gradeway/proto/auth';
import { createGrpcClient } from '@gradeway/shared/grpc/client';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimsOf, serviceAccountsOf } from './apiTokens.ts';
import { type AuthService, password, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

const accounts = serviceAccountsOf(() => auth);
const as = (token: string, method: string, path: string, body?: unknown) =>
  auth.call(method, `/api/v3/${path}`, { token, body });
const statusOf = async (token: string) => (await as(token, 'GET', 'me/token')).status;
const revoked = async (token: string) =>
  (await auth.rows('SELECT 1 FROM auth.revocations WHERE token_id = $1', claimsOf(token).jti)).length === 1;
const utc = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
const invalid = (errors: object) => ({ status: 422, body: { message: 'Invalid Data', errors } });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('a service account', () => {
  test('is created with a token that is shown once', async () => {
    const fields = { scopes: ['grades:read', 'grades:write'], course_ids: [5, 6] };
    const account = await accounts.create(fields);
    expect(account).toEqual({
      id: expect.any(Number),
      name: 'Student information system',
      ...fields,
      is_disabled: false,
      created_by: {
        id: claimsOf(auth.admin).sub && Number(claimsOf(auth.admin).sub),
        name: expect.any(String),
      },
      created_at: utc,
      tokens: [
        {
          id: expect.any(Number),
          name: 'Student information system',
          created_at: utc,
          expires_at: utc,
          last_used_at: null,
        },
      ],
      token: expect.any(String),
    });
    expect(claimsOf(account.token)).toEqual({
      iss: 'gradeway',
      aud: 'gradeway-api',
      sub: String(account.id),
      role: 'admin',
      token_kind: 'service',
      scope: 'grades:read grades:write',
      course_ids: [5, 6],
      jti: expect.any(String),
      iat: expect.any(Number),
      exp: Date.parse(account.tokens[0].expires_at) / 1000,
    });
    const { token: _, ...listed } = account;
    const { body } = await accounts.send('GET', '');
    expect(body.data).toContainEqual(listed);
    expect(JSON.stringify(body)).not.toContain(account.token.split('.')[2]);
  });

  test('its token contains its permissions', async () => {
    const { token, name, scopes, tokens } = await accounts.create({ course_ids: [5] });
    expect(await as(token, 'GET', 'me/token')).toMatchObject({
      status: 200,
      body: { data: { kind: 'service', name, scopes, course_ids: [5], expires_at: tokens[0].expires_at } },
    });
    expect((await as(token, 'GET', 'me')).body.data).toMatchObject({ name, role: 'admin', email: null });
    expect((await as(auth.admin, 'GET', 'me/token')).body.data).toMatchObject({
      kind: 'session',
      name: null,
      scopes: expect.arrayContaining(['courses:read', 'audit:read']),
      course_ids: null,
    });
  });

  test('its id does not belong to an account, and lists of people omit it', async () => {
    const { id, name } = await accounts.create({ name: `System ${crypto.randomUUID()}` });
    const person = await auth.newUser();
    expect(person.id).not.toBe(id);
    expect((await as(auth.admin, 'GET', `admin/users/${id}`)).status).toBe(404);
    expect((await as(auth.admin, 'GET', `admin/users?search=${encodeURIComponent(name)}`)).body.data).toEqual(
      [],
    );
    expect((await accounts.send('PATCH', `/${person.id}`, { name: 'x' })).status).toBe(404);
    expect((await accounts.send('DELETE', `/${person.id}`)).status).toBe(404);
    expect((await as(auth.admin, 'DELETE', `admin/users/${id}`)).status).toBe(404);
    expect((await as(auth.admin, 'POST', `admin/users/${id}/erasure`)).status).toBe(404);
  });

  test('a new or changed name is published for services to project, and the deletion event keeps the name', async () => {
    const { id } = await accounts.create();
    await accounts.send('PATCH', `/${id}`, { name: 'New name' });
    await accounts.send('DELETE', `/${id}`);
    const events = await auth.rows(
      "SELECT type, body->'data' AS data FROM auth.outbox WHERE body->>'subject' = $1 ORDER BY position",
      `users/${id}`,
    );
    const state = { user_id: id, last_name: '', email: null, mobile: null, role: 'service' };
    expect(events).toEqual([
      {
        type: 'user.changed.v1',
        data: { ...state, first_name: 'Student information system', is_blocked: false, revision: 1 },
      },
      { type: 'user.changed.v1', data: { ...state, first_name: 'New name', is_blocked: false, revision: 2 } },
      { type: 'user.changed.v1', data: { ...state, first_name: 'New name', is_blocked: true, revision: 3 } },
    ]);
    const client = createGrpcClient(AuthRpcs, {
      ...{ address: auth.service.grpcAddress, secret: serviceSecret, caller: 'quiz', callee: 'auth' },
    });
    const { users } = await client.call('getUsers', { userIds: [id] });
    client.close();
    expect(users).toMatchObject([{ userId: id, firstName: 'New name', role: 'service', isBlocked: true }]);
  });

  test.each<[string, object]>([
    ['other scopes', { scopes: ['audit:read'] }],
    ['more scopes', { scopes: ['users:read', 'audit:read'] }],
    ['a limit to courses', { course_ids: [1] }],
    ['disabling', { is_disabled: true }],
  ])('%s end its tokens for good', async (_, changes) => {
    const { id, token } = await accounts.create();
    expect(await statusOf(token)).toBe(200);
    const { status, body } = await accounts.send('PATCH', `/${id}`, changes);
    expect([status, body.data.tokens]).toEqual([200, []]);
    expect(body.data).toMatchObject(changes);
    expect([await statusOf(token), await revoked(token)]).toEqual([401, true]);
    await accounts.send('PATCH', `/${id}`, { scopes: ['users:read'], course_ids: null, is_disabled: false });
    expect(await statusOf(token)).toBe(401);
  });

  test('a new name or unchanged properties do not affect its tokens', async () => {
    const { id, token } = await accounts.create({ course_ids: [3, 4] });
    const same = { scopes: ['users:read'], course_ids: [4, 3], is_disabled: false };
    expect((await accounts.send('PATCH', `/${id}`, { name: 'Other', ...same })).status).toBe(200);
    expect((await as(token, 'GET', 'me/token')).body.data.name).toBe('Other');
  });

  test('deleting it ends its tokens', async () => {
    const { id, token } = await accounts.create();
    expect((await accounts.send('DELETE', `/${id}`)).status).toBe(204);
    expect([await statusOf(token), await revoked(token)]).toEqual([401, true]);
    expect((await accounts.send('DELETE', `/${id}`)).status).toBe(404);
  });

  test('additional tokens work alongside the first, and each ends separately', async () => {
    const { id, token: first, tokens } = await accounts.create();
    const added = await accounts.send('POST', `/${id}/tokens`, { name: 'Second' });
    expect(added).toMatchObject({ status: 201, body: { data: { name: 'Second', last_used_at: null } } });
    const second = added.body.data.token;
    expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
    expect((await accounts.send('DELETE', `/${id}/tokens/${tokens[0].id}`)).status).toBe(204);
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200]);
    expect((await accounts.send('DELETE', `/${id}/tokens/${tokens[0].id}`)).status).toBe(404);
    const other = await accounts.create();
    expect((await accounts.send('DELETE', `/${other.id}/tokens/${added.body.data.id}`)).status).toBe(404);
  });

  test('a disabled service account gets no token', async () => {
    const { id } = await accounts.create();
    await accounts.send('PATCH', `/${id}`, { is_disabled: true });
    expect(await accounts.send('POST', `/${id}/tokens`)).toMatchObject({
      status: 409,
      body: { message: 'Service account disabled', errors: null },
    });
  });

  test.each<[string, object, object]>([
    ['without a name', { name: '' }, { name: ['The name field is required.'] }],
    ['without scopes', { scopes: [] }, { scopes: ['The scopes must be a list of scopes, at least one.'] }],
    [
      'with an unknown scope',
      { scopes: ['users:read', 'root'] },
      { scopes: ['The scopes must be a list of scopes, at least one.'] },
    ],
    [
      'with no course',
      { course_ids: [] },
      { course_ids: ['The course ids must be a list of 1 to 100 course ids.'] },
    ],
    [
      'with an expiry that is no time',
      { expires_at: 'soon' },
      { expires_at: ['The expires at format is invalid.'] },
    ],
  ])('one %s is refused', async (_, properties, errors) => {
    const fields = { name: 'System', scopes: ['users:read'], ...properties };
    expect(await accounts.send('POST', '', fields)).toMatchObject(invalid(errors));
  });

  test('an expiry is in the future and at most a year away, and 90 days by default', async () => {
    const fields = { name: 'System', scopes: ['users:read'] };
    const errors = { expires_at: ['The expires at must be in the future, and at most one year from now.'] };
    for (const expires_at of [inDays(-1), inDays(367)])
      expect(await accounts.send('POST', '', { ...fields, expires_at })).toMatchObject(invalid(errors));
    const { id, tokens } = await accounts.create();
    const days = (Date.parse(tokens[0].expires_at) - Date.parse(tokens[0].created_at)) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    for (const expires_at of [inDays(-1), inDays(367)])
      expect(await accounts.send('POST', `/${id}/tokens`, { expires_at })).toMatchObject(invalid(errors));
    expect((await accounts.send('POST', `/${id}/tokens`, { expires_at: inDays(365) })).status).toBe(201);
  });

  test('a token with every scope and as many courses as possible is accepted', async () => {
    const { token } = await accounts.create({
      scopes: [
        'courses:read',
        'courses:write',
        'users:read',
        'users:write',
        'work:read',
        'work:write',
        'grades:read',
        'grades:write',
        'files:read',
        'submissions:write',
        'import',
        'webhooks',
        'audit:read',
        'personal-data',
      ],
      course_ids: Array.from({ length: 100 }, (_, index) => 2_147_483_647 - index),
    });
    expect(await statusOf(token)).toBe(200);
  });
});

describe('a token for programs', () => {
  const all = ['users:read', 'users:write', 'personal-data'];

  test('cannot create, promote, change, block or delete administrators, nor disable their devices', async () => {
    const { token } = await accounts.create({ scopes: all });
    const other = await auth.newUser({ role: 'admin' });
    const person = await auth.newUser();
    await auth.logIn(other, { headers: { device_type: 'web', 'user-agent': 'Firefox' } });
    const devices = (await as(auth.admin, 'GET', `admin/users/${other.id}/devices`)).body.data;
    const newAdmin = {
      first_name: 'Eve',
      email: `${crypto.randomUUID()}@school.example`,
      password,
      role: 'admin',
    };
    const answers = [
      await as(token, 'POST', 'admin/users', newAdmin),
      await as(token, 'PATCH', `admin/users/${person.id}`, { role: 'admin' }),
      await as(token, 'PATCH', `admin/users/${other.id}`, { first_name: 'Eve' }),
      await as(token, 'PATCH', `admin/users/${other.id}`, { password: 'another password' }),
      await as(token, 'PATCH', `admin/users/${other.id}`, { is_blocked: true }),
      await as(token, 'PATCH', `admin/users/${other.id}`, { role: 'user' }),
      await as(token, 'DELETE', `admin/users/${other.id}`),
      await as(token, 'POST', `admin/users/${other.id}/erasure`),
      await as(token, 'PATCH', `admin/devices/${devices[0].id}`, { is_disabled: true }),
      await as(token, 'DELETE', `admin/devices/${devices[0].id}`),
    ];
    expect(answers.map(({ status, body }) => [status, body.message])).toEqual(
      answers.map(() => [403, 'Unauthorized Access']),
    );
    expect((await as(auth.admin, 'GET', `admin/users/${other.id}`)).body.data).toMatchObject({
      role: 'admin',
      is_blocked: false,
    });
    const { status } = await as(token, 'POST', 'admin/users', { ...newAdmin, role: 'user' });
    expect(status).toBe(201);
  });

  test('is named as a service account in the audit log, which contains no token', async () => {
    const { id, name, token } = await accounts.create({ scopes: ['users:write'] });
    const person = await auth.newUser();
    await as(token, 'PATCH', `admin/users/${person.id}`, { first_name: 'Grace' });
    const audit = (query: string) => as(auth.admin, 'GET', `admin/audit?${query}`);
    const [entry] = (await audit(`actor_id=${id}`)).body.data;
    expect(entry).toMatchObject({
      actor: { id, name, role: 'service' },
      session_id: null,
      action: 'user.updated',
    });
    await accounts.send('DELETE', `/${id}`);
    expect((await audit(`actor_id=${id}`)).body.data[0].actor).toEqual({ id, name, role: 'service' });
    const { data } = (await audit(`object_type=service_account&object_id=${id}`)).body;
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'service_account.deleted',
      'service_account.created',
    ]);
    const issued = (await audit('action=token.created')).body.data;
    expect(issued[0].changes).toMatchObject({
      service_account_id: [null, id],
      scopes: [null, ['users:write']],
    });
    const [entries] = await auth.rows('SELECT string_agg(e::text, chr(10)) AS text FROM audit.entries e');
    for (const secret of [token, token.split('.')[2], claimsOf(token).jti])
      expect(entries?.text).not.toContain(secret);
  });

  test('is in no table, log or error', async () => {
    const { token } = await accounts.create();
    await as(token, 'GET', 'admin/users');
    const refused = [
      await as(token, 'PUT', 'password', { password: 'another password' }),
      await as(token, 'GET', 'admin/audit'),
      await as(`${token}x`, 'GET', 'admin/users'),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 401]);
    const signature = token.split('.')[2] ?? '';
    expect(JSON.stringify(refused.map(({ body }) => body))).not.toContain(signature);
    const tables = await auth.rows(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname IN ('auth', 'audit', 'broker')",
    );
    for (const { name } of tables) {
      const sql = `SELECT count(*)::integer AS found FROM ${name} t WHERE strpos(t::text, $1) > 0`;
      expect([name, await auth.rows(sql, signature)]).toEqual([name, [{ found: 0 }]]);
    }
    expect(auth.service.log()).not.toContain(signature);
  });

  test('has no session: refresh, logout and the password are refused', async () => {
    const { token } = await accounts.create({ scopes: all });
    const refused = { status: 403, body: { errors: { scope: ['This operation needs a session.'] } } };
    for (const [method, path] of [
      ['POST', 'token/refresh'],
      ['POST', 'logout'],
      ['PUT', 'password'],
      ['POST', 'me/tokens'],
      ['POST', 'admin/service-accounts'],
    ] as const)
      expect(await as(token, method, path)).toMatchObject(refused);
    expect(await statusOf(token)).toBe(200);
  });
});
