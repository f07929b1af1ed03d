import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

test('the purge deletes all expired rows, however many, and no others', async () => {
  const user = await auth.newUser();
  await auth.logIn(user);
  await auth.logIn(user, { password: 'wrong password' });
  const count = async (table: string) =>
    Number((await auth.rows(`SELECT count(*) AS count FROM auth.${table}`))[0]?.count);
  const [sessions, attempts] = [await count('sessions'), await count('attempts')];
  const addresses = await count('login_addresses');

  await auth.rows(
    `INSERT INTO auth.attempts SELECT 'old ' || n, 1, now() - interval '1 second' FROM generate_series(1, 2500) n`,
  );
  await auth.rows(
    `INSERT INTO auth.sessions (user_id, token_id, token_expires_at, change_password)
     SELECT $1, gen_random_uuid(), now() - interval '16 days', false FROM generate_series(1, 1500)`,
    user.id,
  );
  await auth.rows(
    `INSERT INTO auth.sessions (user_id, token_id, token_expires_at, change_password)
     VALUES ($1, gen_random_uuid(), now() - interval '14 days', false)`,
    user.id,
  );
  await auth.rows(
    `INSERT INTO auth.revocations (session_id, expires_at)
     VALUES (1, now() - interval '1 day 1 second'), (2, now() - interval '23 hours')`,
  );
  await auth.rows(
    "INSERT INTO auth.login_codes VALUES ('old', NULL, 'hash', 0, now() - interval '1 second')",
  );
  await auth.rows(
    `INSERT INTO auth.login_addresses
     SELECT $1, 'old ' || n, now() - interval '30 days 1 second' FROM generate_series(1, 1500) n`,
    user.id,
  );
  auth.service.kill('SIGKILL');
  await auth.service.start();

  await waitFor(async () => (await count('sessions')) === sessions + 1);
  expect(await count('attempts')).toBe(attempts);
  await waitFor(async () => (await count('login_addresses')) === addresses);
  // A revocation is kept for a day after its expiry, in case the clock has jumped forward and jumps back.
  expect([await count('revocations'), await count('login_codes')]).toEqual([1, 0]);
});
