import { randomUUID } from 'node:crypto';
import { AuthService as AuthRpcs, type AuthServiceClient } from '@gradeway/proto/auth';
import { followRevocations } from '@gradeway/shared/auth/revocations';
import { openDatabase } from '@gradeway/shared/database/connection';
import { createGrpcClient, type GrpcClient } from '@gradeway/shared/grpc/client';
import { createLogger } from '@gradeway/shared/process/logger';
import { serviceSecret } from '@gradeway/test/fakePeers';
import { waitFor } from '@gradeway/test/waitFor';
import jwt from 'jsonwebtoken';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, password, startAuthService } from './authService.ts';

let auth: AuthService;
let rpcs: GrpcClient<AuthServiceClient>;
const connect = (secret: string) =>
  createGrpcClient(AuthRpcs, {
    address: auth.service.grpcAddress,
    secret,
    caller: 'courses',
    callee: 'auth',
  });
beforeAll(async () => {
  auth = await startAuthService();
  rpcs = connect(serviceSecret);
});
afterAll(async () => {
  rpcs.close();
  await auth.close();
});

const list = (cursor = '') => rpcs.call('listRevocations', { cursor });
const sessionsOf = async (cursor: string) =>
  (await list(cursor)).revocations.flatMap(({ sessionId }) => sessionId ?? []);
const addTokens = (count: number) =>
  auth.rows(
    `INSERT INTO auth.revocations (token_id, expires_at)
     SELECT gen_random_uuid(), now() + interval '1 hour' FROM generate_series(1, $1)`,
    count,
  );
const deleteTokens = () => auth.rows('DELETE FROM auth.revocations WHERE token_id IS NOT NULL');
/** Ends a session and returns its id. */
async function logOutSomebody(): Promise<number> {
  const token = await auth.tokenOf(await auth.newUser());
  await auth.call('POST', '/api/v3/logout', { token });
  return claimsOf(token).sid;
}
const claimsOf = (token: string) => jwt.decode(token) as jwt.JwtPayload;
const asAdmin = (method: string, path: string, body?: unknown) =>
  auth.call(method, `/api/v3/admin/${path}`, { token: auth.admin, body });

describe('the list of revocations (D13)', () => {
  test.each<[string, (user: { id: number; email: string }, token: string) => Promise<unknown>]>([
    ['a logout', (_, token) => auth.call('POST', '/api/v3/logout', { token })],
    ['a blocked account', ({ id }) => asAdmin('PATCH', `users/${id}`, { is_blocked: true })],
    ['a deleted account', ({ id }) => asAdmin('DELETE', `users/${id}`)],
    ['a changed role', ({ id }) => asAdmin('PATCH', `users/${id}`, { role: 'instructor' })],
    [
      'a password set by an administrator',
      ({ id }) => asAdmin('PATCH', `users/${id}`, { password: 'another password' }),
    ],
    [
      'a changed own password',
      async (user) =>
        auth.call('PUT', '/api/v3/password', {
          token: await auth.tokenOf(user),
          body: { password: 'another password', current_password: password },
        }),
    ],
    [
      'a refresh with an already exchanged token',
      async (_, token) => {
        for (let i = 0; i < 3; i += 1) await auth.call('POST', '/api/v3/token/refresh', { token });
      },
    ],
  ])('a session that ended with %s is listed and published as an event', async (_, end) => {
    const user = await auth.newUser();
    const token = await auth.tokenOf(user);
    const { sid, exp = 0 } = claimsOf(token);
    const { cursor } = await list();
    await end(user, token);
    const listed = (await list(cursor)).revocations.find(({ sessionId }) => sessionId === sid);
    expect(Number(listed?.expiresAt?.seconds)).toBeGreaterThanOrEqual(exp);
    expect(await auth.call('GET', '/api/v3/me', { token })).toMatchObject({ status: 401 });
    const events = await auth.rows(
      "SELECT body->'data' AS data FROM auth.outbox WHERE type = 'session.revoked.v1' AND body->>'subject' = $1",
      `users/${user.id}`,
    );
    expect(events).toEqual([{ data: { session_ids: [sid], revoked_at: expect.any(String) } }]);
  });

  test('a block ends every login that is in progress', async () => {
    const user = await auth.newUser();
    const logins = Array.from({ length: 8 }, () => auth.logIn(user));
    const block = asAdmin('PATCH', `users/${user.id}`, { is_blocked: true });
    const answers = await Promise.all(logins);
    await block;
    for (const { body } of answers.filter(({ status }) => status === 200))
      expect(await auth.call('GET', '/api/v3/me', { token: body.access_token })).toMatchObject({
        status: 401,
      });
    const open = await auth.rows(
      'SELECT 1 FROM auth.sessions WHERE user_id = $1 AND ended_at IS NULL',
      user.id,
    );
    expect(open).toEqual([]);
  });

  test('an exchanged token is listed, but not its session', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const { cursor } = await list();
    await auth.call('POST', '/api/v3/token/refresh', { token });
    const { revocations } = await list(cursor);
    const { jti, sid, exp = 0 } = claimsOf(token);
    const listed = revocations.find(({ tokenId }) => tokenId === jti);
    expect(Number(listed?.expiresAt?.seconds)).toBeGreaterThanOrEqual(exp);
    expect(revocations.some(({ sessionId }) => sessionId === sid)).toBe(false);
  });

  test('the first request lists all revocations that have not expired', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    await auth.call('POST', '/api/v3/logout', { token });
    await auth.rows("UPDATE auth.revocations SET created_at = now() - interval '2 hours'");
    const { sid } = claimsOf(token);
    expect(await sessionsOf('')).toContain(sid);
    expect(await sessionsOf('an unknown cursor')).toContain(sid);
    await auth.rows('UPDATE auth.revocations SET expires_at = now() WHERE session_id = $1', sid);
    expect(await sessionsOf('')).not.toContain(sid);
  });

  test('revocations that commit in a different order than they were written are all listed', async () => {
    const database = openDatabase({ url: auth.database.url('auth'), name: 'late', pool: 3 });
    // Written 10, 20 and 30 minutes ago, as if by transactions that took that long.
    const open = async (session: number, minutes: number) => {
      const transaction = await database.transaction();
      const insert = `INSERT INTO revocations (session_id, created_at, expires_at)
        VALUES ($1, now() - make_interval(mins => $2), now() + interval '1 hour')`;
      await database.query(insert, { bind: [session, minutes], transaction });
      return { session, transaction };
    };
    const late = [await open(900_001, 30), await open(900_002, 20), await open(900_003, 10)];
    let { cursor } = await list();
    for (const { session, transaction } of late.toReversed()) {
      await logOutSomebody();
      const before = await list(cursor);
      expect(before.revocations.length).toBeGreaterThan(0);
      expect(before.revocations.some(({ sessionId }) => sessionId === session)).toBe(false);
      await transaction.commit();
      const after = await list(before.cursor);
      expect(after.revocations.some(({ sessionId }) => sessionId === session)).toBe(true);
      cursor = after.cursor;
    }
    await database.close();
  });

  test('a revocation that commits between two pages is listed by the next round', async () => {
    const database = openDatabase({ url: auth.database.url('auth'), name: 'late', pool: 1 });
    const late = await database.transaction();
    await database.query(
      "INSERT INTO revocations (session_id, expires_at) VALUES (900004, now() + interval '1 hour')",
      { transaction: late },
    );
    await addTokens(1_500);
    const first = await list();
    expect(first.more).toBe(true);
    await late.commit();
    await database.close();
    const second = await list(first.cursor);
    const third = second.more ? undefined : await list(second.cursor);
    expect((third?.revocations ?? []).some(({ sessionId }) => sessionId === 900_004)).toBe(true);
    await deleteTokens();
  });

  test('a revocation is listed once when no older transaction is open', async () => {
    await logOutSomebody();
    let page = await list();
    // Other tests on the same server may have transactions open; entries repeat until they end.
    await waitFor(async () => {
      page = await list(page.cursor);
      return page.revocations.length === 0;
    });
  });

  test('a cursor from another server starts over, and entries restored from it are not repeated', async () => {
    const sid = await logOutSomebody();
    const { cursor } = await list();
    const ahead = cursor.replace(/\d+/, (number) => String(Number(number) + 1_000_000));
    expect(await sessionsOf(ahead)).toContain(sid);
    await auth.rows(
      "UPDATE auth.revocations SET transaction_id = '9000000000000'::xid8 WHERE session_id = $1",
      sid,
    );
    auth.service.kill('SIGKILL');
    await auth.service.start();
    let page = await list();
    expect(page.revocations.map(({ sessionId }) => sessionId)).toContain(sid);
    await waitFor(async () => {
      page = await list(page.cursor);
      return page.revocations.length === 0;
    });
  });

  test('the pages list each entry once, even when one transaction wrote many', async () => {
    await addTokens(2_500);
    const found: string[] = [];
    let page = await list();
    for (;;) {
      found.push(...page.revocations.map(({ tokenId, sessionId }) => tokenId ?? String(sessionId)));
      if (!page.more) break;
      page = await list(page.cursor);
    }
    expect(new Set(found).size).toBe(found.length);
    expect(found.length).toBeGreaterThanOrEqual(2_500);
    await deleteTokens();
  });

  test('a revocation reaches another process', async () => {
    const followed = followRevocations({ auth: rpcs, log: createLogger('test', 'silent') });
    const token = await auth.tokenOf(await auth.newUser());
    const { sid, jti } = claimsOf(token);
    await waitFor(() => followed.loaded());
    const isRevoked = () => followed.isRevoked({ sessionId: sid, tokenId: String(jti) });
    expect(isRevoked()).toBe(false);
    await auth.call('POST', '/api/v3/logout', { token });
    await waitFor(isRevoked);
    await followed.close();
  });
});

describe('GetUsers', () => {
  test('GetUsers returns existing accounts and omits all other ids', async () => {
    const [user, deleted] = [await auth.newUser({ email: null }), await auth.newUser()];
    await asAdmin('DELETE', `users/${deleted.id}`);
    await asAdmin('PATCH', `users/${user.id}`, { first_name: 'Augusta', is_blocked: true });
    const { users } = await rpcs.call('getUsers', { userIds: [user.id, deleted.id, 999_999] });
    expect(users).toEqual([
      {
        userId: user.id,
        firstName: 'Augusta',
        lastName: 'Lovelace',
        email: '',
        _mobile: 'mobile',
        mobile: user.mobile,
        role: 'user',
        isBlocked: true,
        revision: 2,
      },
    ]);
  });

  test('GetUsers accepts a thousand ids and refuses more', async () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => 5_000 + index);
    expect((await rpcs.call('getUsers', { userIds: ids })).users).toEqual([]);
    await expect(rpcs.call('getUsers', { userIds: [...ids, 1] })).rejects.toThrow('Server Error');
  });

  test('GetUsers refuses callers without a valid service credential', async () => {
    const unauthorized = connect(`another secret ${randomUUID()}`);
    await expect(unauthorized.call('getUsers', { userIds: [1] })).rejects.toThrow('Server Error');
    unauthorized.close();
  });
});
