import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, administrator, keySecret, password, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService({ LOGIN_LIMIT_PER_ACCOUNT: '0', LOG_LEVEL: 'trace' });
});
afterAll(() => auth.close());

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** The median duration of each request. They run in turn, so that other load on the machine affects all equally. */
async function timesOf(requests: (() => Promise<unknown>)[]): Promise<number[]> {
  const times = requests.map((): number[] => []);
  for (let round = 0; round < 15; round += 1)
    for (const [index, request] of requests.entries()) {
      const startedAt = performance.now();
      await request();
      times[index]?.push(performance.now() - startedAt);
    }
  return times.map(median);
}

describe('account enumeration', () => {
  test('the duration of a refused login does not reveal whether the account exists (D8)', async () => {
    const user = await auth.newUser();
    const [known = 1, unknown = 1] = await timesOf([
      () => auth.logIn(user, { password: 'wrong password' }),
      () => auth.logIn({ email: 'unknown@school.example' }, { password: 'wrong password' }),
    ]);
    expect(unknown / known).toBeGreaterThan(0.6);
    expect(unknown / known).toBeLessThan(1.6);
  });

  test('the duration of a code request or of a refused code does not reveal whether the account exists', async () => {
    const user = await auth.newUser();
    const requestCode = (email: string) => () => auth.call('POST', '/api/v3/login/otp', { body: { email } });
    const guessCode = (email: string) => () =>
      auth.call('POST', '/api/v3/login/otp/verify', { body: { email, code: 'wrong' } });
    const emails = [user.email, 'unknown@school.example'];
    const [requestedKnown = 1, requestedUnknown = 1] = await timesOf(emails.map(requestCode));
    const [known = 1, unknown = 1] = await timesOf(emails.map(guessCode));
    expect(unknown / known).toBeGreaterThan(0.6);
    expect(unknown / known).toBeLessThan(1.6);
    expect(Math.abs(requestedUnknown - requestedKnown)).toBeLessThan(15);
  });
});

test('neither the log nor the database contains a password, token or key, even after errors', async () => {
  const user = await auth.newUser();
  const { body } = await auth.logIn(user, { body: { device_token: 'my-device-token' } });
  const refreshed = await auth.call('POST', '/api/v3/token/refresh', { token: body.access_token });
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
