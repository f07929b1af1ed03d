import { startService } from '@gradeway/test/serviceProcess';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthService, administrator, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

const changedPassword = 'a changed password';
const admins = () => auth.rows("SELECT id, email, role FROM auth.users WHERE role = 'admin'");

function startReplica() {
  const { database, env } = auth;
  return startService({
    service: 'auth',
    database,
    env: { ...env, ADMIN_PASSWORD: changedPassword },
    peers: { authGrpc: '127.0.0.1:1', coursesGrpc: '127.0.0.1:1' },
    tokens: { jwksUrl: 'http://127.0.0.1:1' },
  });
}

test('replicas that start together create one first administrator when none exists', async () => {
  await auth.rows("UPDATE auth.users SET role = 'user', email = 'former-' || id || '@school.example'");
  const replicas = await Promise.all([startReplica(), startReplica()]);
  expect(await admins()).toEqual([{ id: expect.any(Number), email: administrator.email, role: 'admin' }]);
  expect((await auth.logIn(administrator, { password: changedPassword })).status).toBe(200);
  await Promise.all(replicas.map((each) => each.stop()));
});

test('a later start neither changes the administrator nor promotes an existing account', async () => {
  const [before] = await auth.rows(
    'SELECT password_hash FROM auth.users WHERE email = $1',
    administrator.email,
  );
  const first = await startReplica();
  const [after] = await auth.rows(
    'SELECT password_hash FROM auth.users WHERE email = $1',
    administrator.email,
  );
  expect(after).toEqual(before);
  await first.stop();

  await auth.rows("UPDATE auth.users SET role = 'instructor'");
  const second = await startReplica();
  expect(await admins()).toEqual([]);
  await waitFor(() => second.log().includes('ADMIN_EMAIL belongs to an account with another role'));
  await second.stop();
});
