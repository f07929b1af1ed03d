import { scrape } from '@gradeway/test/metrics';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, administrator, keySecret, password, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService({ LOGIN_LIMIT_PER_ACCOUNT: '0', LOG_LEVEL: 'trace' });
});
afterAll(() => auth.close());

/**
 * The processor time that auth needs for each request, in seconds. What needs equal work takes equal time; the elapsed
 * time depends on the load of the machine (`npm run bench accountEnumeration` measures it).
 */
async function workOf(requests: (() => Promise<unknown>)[]): Promise<number[]> {
  const used = async () => (await scrape(auth.service.adminUrl)).value('process_cpu_seconds_total') ?? 0;
  const work = requests.map(() => 0);
  for (let round = 0; round < 15; round += 1)
    for (const [index, request] of requests.entries()) {
      const before = await used();
      await request();
      work[index] = (work[index] ?? 0) + (await used()) - before;
    }
  return work;
}

describe('account enumeration', () => {
  const unknownEmail = 'unknown@school.example';

  test('a refused login needs the same work for known and unknown accounts (D8)', async () => {
    const user = await auth.newUser();
    const [known = 1, unknown = 1] = await workOf(
      [user.email, unknownEmail].map((email) => () => auth.logIn({ email }, { password: 'wrong password' })),
    );
    expect(unknown / known).toBeGreaterThan(0.6);
    expect(unknown / known).toBeLessThan(1.6);
  });

  test('a refused code needs the same work for known and unknown accounts', async () => {
    const user = await auth.newUser();
    const guessCode = (email: string) => () =>
      auth.call('POST', '/api/v3/login/otp/verify', { body: { email, code: 'wrong' } });
    const [known = 1, unknown = 1] = await workOf([user.email, unknownEmail].map(guessCode));
    expect(unknown / known).toBeGreaterThan(0.6);
    expect(unknown / known).toBeLessThan(1.6);
  });
});

test('neither the log nor the database contains a password, token or key, even after errors', async () => {
  const user = await auth.newUser();
  const { body } = await auth.logIn(user, { body: { device_token: 'my-device-token' } });
  const refreshed = await auth.call('POST', '/api/v3/token/refresh', { token: body.access_token });
  for (let i = 0; i < 2; i += 1)
    await auth.call('POST', '/api/v3/token/refresh', { token: body.access_token });
  await auth.call('GET', `/api/v3/me?access_token=${refreshed.body.access_token}`);
  await auth.logIn({ email: `${password}?` });
  await auth.call('POST', '/api/v3/login/otp', { body: { email: `${password}?` } });
  await auth.call('POST', '/api/v3/login', { body: `{"password":"${password}"` });
  await auth.rows('ALTER TABLE auth.sessions RENAME TO sessions_away');
  expect(await auth.logIn(user)).toMatchObject({
    status: 500,
    body: { message: 'Server Error', errors: null },
  });
  await auth.rows('ALTER TABLE auth.sessions_away RENAME TO sessions');

  const [database] = await auth.rows(
    `SELECT concat_ws(' ', (SELECT json_agg(u) FROM auth.users u), (SELECT json_agg(a) FROM auth.attempts a),
      (SELECT json_agg(c) FROM auth.login_codes c), (SELECT json_agg(o) FROM auth.outbox o)) AS text`,
  );
  const secrets = [
    password,
    administrator.password,
    keySecret,
    ...[body.access_token, refreshed.body.access_token].map((token) => token.split('.')[2]),
  ];
  for (const secret of secrets) {
    expect(auth.service.log()).not.toContain(secret);
    expect(String(database?.text)).not.toContain(secret);
  }
  expect(auth.service.log()).not.toContain('my-device-token');
});
