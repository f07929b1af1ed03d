import { randomUUID } from 'node:crypto';
import type { AuditEntryState } from '@gradeway/shared/events/catalog';
import { createEvent } from '@gradeway/shared/events/cloudEvent';
import { openBroker } from '@gradeway/shared/events/openBroker';
import { createLogger } from '@gradeway/shared/process/logger';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, administrator, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

type Query = Record<string, string | number>;

const read = (query: Query) =>
  auth.call('GET', `/api/v3/admin/audit?${new URLSearchParams(query as Record<string, string>)}`, {
    token: auth.admin,
  });
const entries = async (query: Query) => (await read(query)).body.data;
const admin = (method: string, path: string, body?: unknown) =>
  auth.call(method, `/api/v3/admin/${path}`, { token: auth.admin, body });
const about = (type: string, id: number) => entries({ object_type: type, object_id: id });
/** The log line that contains these texts. It may be written after the response. */
const lineWith = async (...texts: string[]) =>
  JSON.parse(
    await waitFor(() =>
      auth.service
        .log()
        .split('\n')
        .find((line) => texts.every((text) => line.includes(text))),
    ),
  );
const adminId = async () =>
  (await auth.rows('SELECT id FROM auth.users WHERE email = $1', administrator.email))[0]?.id;

describe('changes by administrators', () => {
  test('creating, changing and deleting an account is audited, and the entries are listed newest first', async () => {
    const user = await auth.newUser({ first_name: 'Ada' });
    await admin('PATCH', `users/${user.id}`, { first_name: 'Grace', is_blocked: true });
    await admin('PATCH', `users/${user.id}`, { first_name: 'Grace' });
    await admin('DELETE', `users/${user.id}`);
    const actor = { id: await adminId(), name: 'First Administrator', role: 'admin' };
    const common = { actor, object: { type: 'user', id: user.id }, session_id: expect.any(Number) };
    const [deleted, updated, created, ...others] = await about('user', user.id);
    expect(others).toEqual([]);
    expect(deleted).toMatchObject({ ...common, action: 'user.deleted', changes: null });
    expect(updated).toEqual({
      ...common,
      id: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      address: '127.0.0.1',
      action: 'user.updated',
      changes: { first_name: ['Ada', 'Grace'], is_blocked: [false, true] },
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(created).toMatchObject({ ...common, action: 'user.created' });
    expect(created.changes).toMatchObject({ email: [null, user.email], role: [null, 'user'] });
  });

  test('setting a password as an administrator is audited without the password', async () => {
    const user = await auth.newUser();
    await admin('PATCH', `users/${user.id}`, { password: 'set by the administrator' });
    expect(await about('user', user.id)).toMatchObject([
      { action: 'password.changed', changes: null },
      { action: 'user.created' },
    ]);
    const [{ secrets }] = (await auth.rows(
      "SELECT count(*)::int AS secrets FROM audit.entries WHERE changes::text ~* 'password|hash|token|argon'",
    )) as [{ secrets: number }];
    expect(secrets).toBe(0);
  });

  test('a refused change leaves no entry', async () => {
    const [one, other] = [await auth.newUser(), await auth.newUser()];
    expect((await admin('PATCH', `users/${one.id}`, { email: other.email })).status).toBe(422);
    expect(await about('user', one.id)).toHaveLength(1);
  });

  test('disabling, enabling and deleting a device are audited', async () => {
    const user = await auth.newUser();
    await auth.tokenOf(user, { body: { device_token: randomUUID(), device_name: 'Notebook' } });
    const { body } = await admin('GET', `users/${user.id}/devices`);
    const { id } = body.data[0];
    await admin('PATCH', `devices/${id}`, { is_disabled: true });
    await admin('PATCH', `devices/${id}`, { is_disabled: true });
    await admin('PATCH', `devices/${id}`, { is_disabled: false });
    await admin('DELETE', `devices/${id}`);
    expect(await about('device', id)).toMatchObject([
      { action: 'device.deleted', changes: { name: ['Notebook', null] } },
      { action: 'device.enabled', changes: { is_disabled: [true, false] } },
      { action: 'device.disabled', changes: { is_disabled: [false, true] } },
      { action: 'device.registered', actor: { id: user.id }, changes: { user_id: [null, user.id] } },
    ]);
  });

  test('the entry of the first administrator has no actor', async () => {
    expect(await about('user', Number(await adminId()))).toContainEqual(
      expect.objectContaining({ action: 'user.created', actor: null, address: null, request_id: null }),
    );
  });
});

describe('logins', () => {
  test('a login is audited with its account and session, and logged with account and address', async () => {
    const user = await auth.newUser();
    const headers = { 'x-forwarded-for': '2001:db8::7' };
    const { body } = await auth.logIn(user, { headers });
    const [entry] = await entries({ actor_id: user.id, action: 'login.succeeded' });
    expect(entry).toMatchObject({
      actor: { id: user.id, name: 'Ada Lovelace', role: 'user' },
      object: { type: 'user', id: user.id },
      session_id: body.ss_record,
      address: '2001:db8::7',
      changes: null,
    });
    const line = await lineWith('"msg":"login"', `"user_id":${user.id},`);
    expect(line).toMatchObject({ user_id: user.id, address: '2001:db8::7' });
  });

  test.each([
    ['a wrong password', async (user: { email: string }) => auth.logIn(user, { password: 'wrong one' })],
    [
      'a blocked account',
      async (user: { id: number; email: string }) => {
        await admin('PATCH', `users/${user.id}`, { is_blocked: true });
        return auth.logIn(user);
      },
    ],
    [
      'a wrong code',
      async ({ email }: { email: string }) =>
        auth.call('POST', '/api/v3/login/otp/verify', { body: { email, code: '000000' } }),
    ],
  ])('a login refused for %s is an entry about the account, without an actor', async (_reason, logIn) => {
    const user = await auth.newUser();
    const answer = await logIn(user);
    expect(answer.status).toBe(401);
    const request_id = answer.headers.get('x-request-id');
    expect(await entries({ action: 'login.refused', object_id: user.id })).toMatchObject([
      {
        actor: null,
        session_id: null,
        object: { type: 'user', id: user.id },
        address: '127.0.0.1',
        request_id,
      },
    ]);
    const line = await lineWith('"msg":"login refused"', `"request_id":"${request_id}"`);
    expect(line).toMatchObject({ user_id: user.id, address: '127.0.0.1' });
  });

  test('a login to an unknown account is audited without an account, and the entered address is not stored', async () => {
    const typed = `${randomUUID()}@school.example`;
    const before = (await entries({ action: 'login.refused', per_page: 100 })).length;
    await auth.logIn({ email: typed });
    const refused = await entries({ action: 'login.refused', per_page: 100 });
    expect(refused).toHaveLength(before + 1);
    expect(refused[0]).toMatchObject({ actor: null, object: null });
    expect(await auth.rows('SELECT 1 FROM audit.entries e WHERE e::text LIKE $1', `%${typed}%`)).toEqual([]);
  });

  test("a password change is audited with the account's owner as the actor", async () => {
    const user = await auth.newUser();
    const token = await auth.tokenOf(user);
    const body = { password: 'another long one', current_password: 'correct horse battery' };
    expect((await auth.call('PUT', '/api/v3/password', { token, body })).status).toBe(200);
    expect(await entries({ action: 'password.changed', actor_id: user.id })).toMatchObject([
      { object: { type: 'user', id: user.id }, changes: null },
    ]);
  });
});

describe('the list', () => {
  test('paging through the audit log by cursor leaves no gaps while entries are added', async () => {
    const users = [await auth.newUser(), await auth.newUser(), await auth.newUser()];
    const from = '2000-01-01T00:00:00Z';
    const first = await read({ action: 'user.created', from, per_page: 2 });
    expect(first.body.meta).toEqual({ per_page: 2 });
    await auth.newUser();
    const next = new URL(first.body.links.next);
    expect(next.searchParams.get('action')).toBe('user.created');
    const second = await auth.call('GET', next.pathname + next.search, { token: auth.admin });
    const ids = [...first.body.data, ...second.body.data].map(({ object }) => object.id);
    expect(ids.slice(0, 3)).toEqual(users.map(({ id }) => id).toReversed());
    expect(new Set(ids).size).toBe(4);
    const all = await read({ object_type: 'user', object_id: users[0]?.id ?? 0 });
    expect(all.body).toMatchObject({ links: { next: null }, meta: { per_page: 50 } });
  });

  test('time filters of the audit log include the start and exclude the end', async () => {
    const user = await auth.newUser();
    const object = { object_type: 'user', object_id: user.id };
    const [row] = await auth.rows(
      "SELECT at FROM audit.entries WHERE object_type = 'user' AND object_id = $1",
      String(user.id),
    );
    const at = row?.at as Date;
    const later = new Date(at.getTime() + 1).toISOString().replace('Z', '+00:00');
    expect(await entries({ ...object, from: at.toISOString() })).toHaveLength(1);
    expect(await entries({ ...object, from: later })).toHaveLength(0);
    expect(await entries({ ...object, to: at.toISOString() })).toHaveLength(0);
    expect(await entries({ ...object, to: later })).toHaveLength(1);
  });

  test.each([
    ['actor_id', 'x', 'The actor id must be an integer.'],
    ['from', 'yesterday', 'The from format is invalid.'],
    ['to', '2026-01-01T10:00:00', 'The to format is invalid.'],
    ['cursor', 'MQ', 'The cursor format is invalid.'],
    ['per_page', '0', 'The per page must be at least 1.'],
    ['format', 'xml', 'The selected format is invalid.'],
  ])('a wrong %s in a query of the audit log is refused', async (name, value, message) => {
    expect(await read({ [name]: value })).toMatchObject({
      status: 422,
      body: { message: 'Invalid Data', errors: { [name]: [message] } },
    });
  });

  test('the CSV audit log has every matching entry, escaped, and the export is audited', async () => {
    const user = await auth.newUser();
    await admin('PATCH', `users/${user.id}`, { first_name: '=cmd()', last_name: 'a "quoted" one' });
    await auth.tokenOf(user);
    const path = `/api/v3/admin/audit?format=csv&actor_id=${user.id}&action=login.succeeded`;
    const answer = await auth.call('GET', path, { token: auth.admin });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, row, ...rest] = String(answer.body).split('\r\n');
    expect(header).toBe(
      'id,at,actor_id,actor_name,actor_role,session_id,address,action,object_type,object_id,changes,request_id',
    );
    expect(row).toContain(`,${user.id},"'=cmd() a ""quoted"" one",user,`);
    expect(rest).toEqual(['']);
    const [exported] = await entries({ action: 'audit.exported' });
    expect(exported.request_id).toBe(answer.headers.get('x-request-id'));
  });

  test('the CSV audit log starts with a byte order mark if bom=1 requests it (D64)', async () => {
    const read = async (query: string) =>
      (
        await auth.call('GET', `/api/v3/admin/audit?format=csv${query}`, { token: auth.admin })
      ).body.toString();
    expect(await read('&bom=1')).toMatch(/^\uFEFFid,at,/);
    for (const query of ['', '&bom=0']) expect(await read(query)).toMatch(/^id,at,/);
  });

  test('the name of a person with one name has no trailing space in the audit log (D56)', async () => {
    const user = await auth.newUser({ first_name: 'Suharto', last_name: null });
    await auth.tokenOf(user);
    expect(await entries({ actor_id: user.id, action: 'login.succeeded' })).toMatchObject([
      { actor: { name: 'Suharto' } },
    ]);
  });

  test('only administrators can read the audit log', async () => {
    const token = await auth.tokenOf(await auth.newUser({ role: 'instructor' }));
    expect((await auth.call('GET', '/api/v3/admin/audit', { token })).status).toBe(403);
    expect((await auth.call('GET', '/api/v3/admin/audit')).status).toBe(401);
  });

  test('entries keep a deleted account as their actor but without its name', async () => {
    const user = await auth.newUser({ role: 'admin' });
    await auth.tokenOf(user);
    await admin('DELETE', `users/${user.id}`);
    expect(await entries({ actor_id: user.id, action: 'login.succeeded' })).toMatchObject([
      { actor: { id: user.id, name: 'Deleted user', role: 'admin' } },
    ]);
  });
});

describe('entries of other services', () => {
  const entry = (): AuditEntryState => ({
    entry_id: randomUUID(),
    at: new Date().toISOString(),
    actor_id: 1,
    actor_role: 'admin',
    session_id: 1,
    address: '192.0.2.7',
    action: 'enrollment.changed',
    object_type: 'enrollment',
    object_id: `${Math.floor(Math.random() * 1e9)}/7`,
    changes: { paid: [false, true] },
    request_id: randomUUID(),
  });

  test('entries of other services arrive as events, and duplicates add no entry, even under another event id', async () => {
    const broker = await openBroker({
      url: auth.database.url('broker'),
      log: createLogger('test', 'silent'),
    });
    try {
      const [repeated, last] = [entry(), entry()];
      const event = createEvent('courses', 'audit.recorded.v1', 'audit/1', repeated);
      const copy = createEvent('courses', 'audit.recorded.v1', 'audit/1', repeated);
      const end = createEvent('courses', 'audit.recorded.v1', 'audit/2', last);
      for (const each of [event, event, copy, end]) await broker.publish({ event: each, traceparent: null });
      const stored = (id: string) => auth.rows('SELECT event_id FROM auth.inbox WHERE event_id = $1', id);
      await waitFor(async () => (await stored(end.id)).length + (await stored(copy.id)).length === 2);
      expect(await entries({ object_id: String(repeated.object_id) })).toMatchObject([
        {
          action: 'enrollment.changed',
          object: { type: 'enrollment', id: repeated.object_id },
          address: '192.0.2.7',
          changes: { paid: [false, true] },
          request_id: repeated.request_id,
        },
      ]);
    } finally {
      await broker.close();
    }
  });
});

test('request logs carry the id of the user', async () => {
  const user = await auth.newUser();
  const token = await auth.tokenOf(user);
  const { headers } = await auth.call('GET', '/api/v3/me', { token });
  const id = headers.get('x-request-id') ?? '';
  const find = () =>
    auth.service
      .log()
      .split('\n')
      .find((line) => line.includes(id) && line.includes('"request"'));
  await waitFor(async () => find() !== undefined);
  expect(JSON.parse(find() ?? '{}')).toMatchObject({ user_id: user.id, path: '/api/v3/me' });
});
