import { changeWhileWaiting } from '@gradeway/test/changeWhileWaiting';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

const sessionsOf = ({ id }: Account) => auth.rows('SELECT id FROM auth.sessions WHERE user_id = $1', id);
const entriesOf = ({ id }: Account) =>
  auth.rows("SELECT 1 FROM audit.entries WHERE action = 'login.succeeded' AND actor_id = $1", id);

/** Logs in on a known device, while another transaction holds the account, makes a change to its rows and commits. */
async function logInDuring(user: Account, changeOf: (id: number) => string) {
  await auth.tokenOf(user);
  return changeWhileWaiting({
    database: auth.database,
    schema: 'auth',
    lock: `SELECT FROM users WHERE id = ${user.id} FOR UPDATE`,
    send: () => auth.logIn(user),
    change: changeOf(user.id),
  });
}

const refused = (message: string) => ({ status: 401, body: { message, errors: null } });

describe('a login on a known device that waits for a change to the account', () => {
  const credentials = 'These credentials do not match our records.';
  const disabled = 'Your device has been disabled, please contact admin.';
  test.each([
    ['blocked', 'Blocked User', (id: number) => `UPDATE users SET is_blocked = true WHERE id = ${id}`],
    [
      'changed in its password',
      credentials,
      (id: number) => `UPDATE users SET password_hash = '' WHERE id = ${id}`,
    ],
    ['deleted', credentials, (id: number) => `UPDATE users SET deleted_at = now() WHERE id = ${id}`],
    [
      'left with a disabled device',
      disabled,
      (id: number) => `UPDATE devices SET is_disabled = true WHERE user_id = ${id}`,
    ],
  ])(
    'a login on a known device opens no session if the account is %s in the meantime',
    async (_state, message, changeOf) => {
      const user = await auth.newUser();
      expect(await logInDuring(user, changeOf)).toMatchObject(refused(message));
      expect(await sessionsOf(user)).toHaveLength(1);
      expect(await entriesOf(user)).toHaveLength(1);
    },
  );

  test('a login on a known device opens a session if nothing relevant to logins has changed in the meantime', async () => {
    const user = await auth.newUser();
    const answer = await logInDuring(
      user,
      (id) => `UPDATE users SET cart_items = cart_items + 1 WHERE id = ${id}`,
    );
    expect(answer.status).toBe(200);
    const sessions = await sessionsOf(user);
    expect(sessions).toHaveLength(2);
    expect(sessions).toContainEqual({ id: answer.body.ss_record });
    expect(await entriesOf(user)).toHaveLength(2);
  });

  test('a login on a known device registers the device again if it was deleted in the meantime', async () => {
    const user = await auth.newUser();
    const answer = await logInDuring(
      user,
      (id) =>
        `UPDATE sessions SET device_id = NULL WHERE user_id = ${id}; DELETE FROM devices WHERE user_id = ${id}`,
    );
    expect(answer.status).toBe(200);
    expect(await auth.rows('SELECT 1 FROM auth.devices WHERE user_id = $1', user.id)).toHaveLength(1);
  });
});

test('a login on a known device writes the audit entry, the device name and the times', async () => {
  const user = await auth.newUser();
  const headers = { 'x-forwarded-for': '198.51.100.7' };
  await auth.tokenOf(user, { headers });
  const past = "now() - interval '1 day'";
  for (const table of ['devices', 'login_addresses'])
    await auth.rows(`UPDATE auth.${table} SET last_login_at = ${past} WHERE user_id = $1`, user.id);
  const { body } = await auth.logIn(user, { headers, body: { device_name: 'Laptop' } });
  const recent = "last_login_at > now() - interval '1 hour'";
  expect(
    await auth.rows(
      `SELECT name, ${recent} AS recent FROM auth.devices WHERE user_id = $1
       UNION ALL SELECT NULL, ${recent} FROM auth.login_addresses WHERE user_id = $1`,
      user.id,
    ),
  ).toEqual([
    { name: 'Laptop', recent: true },
    { name: null, recent: true },
  ]);
  expect(
    await auth.rows(
      `SELECT actor_id, actor_role, action, object_type, object_id, changes, request_id IS NOT NULL AS "isTraceable",
         address
       FROM audit.entries WHERE session_id = $1`,
      body.ss_record,
    ),
  ).toEqual([
    {
      ...{ actor_id: user.id, actor_role: 'user', action: 'login.succeeded' },
      ...{ object_type: 'user', object_id: String(user.id), changes: null },
      ...{ isTraceable: true, address: '198.51.100.7' },
    },
  ]);
});
