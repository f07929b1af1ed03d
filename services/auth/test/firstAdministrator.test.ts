import { startService } from '@gradeway/test/serviceProcess';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthService, administrator, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

const later = 'a password set later';
const admins = () => auth.rows("SELECT id, email, role FROM auth.users WHERE role = 'admin'");

function startReplica() {
  const { database, env } = auth;
  return startService({
    ...{ service: 'auth', database, env: { ...env, ADMIN_PASSWORD: later } },
    peers: { authGrpc: '127.0.0.1:1', coursesGrpc: '127.0.0.1:1' },
    tokens: { jwksUrl: 'http://127.0.0.1:1' },
  });
}

test('the first administrator is made when there is none, by one of the replicas that start together', async () => {
  await auth.rows("UPDATE auth.users SET role = 'user', email = 'former-' || id || '@school.example'");
  const replicas = await Promise.all([startReplica(), startReplica()]);
  expect(await admins()).toEqual([{ id: expect.any(Number), email: administrator.email, role: 'admin' }]);
  expect((await auth.logIn(administrator, { password: later })).status).toBe(200);
  await Promise.all(replicas.map((each) => each.stop()));
});

test('a later start does not change the administrator, nor make one of somebody else’s account', async () => {
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
  expect(second.log()).toContain('ADMIN_EMAIL belongs to an account with another role');
  await second.stop();
});
