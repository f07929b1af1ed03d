import { observeRoundTrips } from '@gradeway/test/roundTrips';
import { type WatchedDatabase, watchDatabase } from '@gradeway/test/watchedDatabase';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, administrator, keySecret, password, startAuthService } from './authService.ts';

// Loaded before auth: writes the cost parameters of each hash that a password or code is compared with to the log.
const logComparisons = `
  import { createRequire } from 'node:module';
  const argon2 = createRequire('${import.meta.url}')('@node-rs/argon2');
  const { verify } = argon2;
  argon2.verify = (hash, ...rest) => {
    process.stdout.write('compared with ' + hash.split('$').slice(1, 4).join(' ') + '\\n');
    return verify(hash, ...rest);
  };`;

let auth: AuthService;
let watched: WatchedDatabase;
beforeAll(async () => {
  auth = await startAuthService(async (database) => {
    watched = await watchDatabase(database.url('auth'));
    return {
      DATABASE_URL: watched.url,
      LOGIN_LIMIT_PER_ACCOUNT: '0',
      LOG_LEVEL: 'trace',
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(logComparisons)}`,
    };
  });
});
afterAll(async () => {
  await auth.close();
  watched.close();
});

/** The work that auth does for a request: its statements, its calls to other services and its comparisons of hashes. */
async function workOf(send: () => Promise<{ status: number }>) {
  const comparisons = () => auth.service.log().match(/compared with .*/g) ?? [];
  const before = comparisons().length;
  const roundTrips = await observeRoundTrips({ service: auth.service, watched, send });
  return { ...roundTrips, comparisons: comparisons().slice(before) };
}

// Equal work takes equal time. `npm run bench accountEnumeration` measures the time.
describe('account enumeration', () => {
  const unknownEmail = 'unknown@school.example';
  const oneComparison = { status: 401, comparisons: ['compared with argon2id v=19 m=19456,t=2,p=1'] };

  test('refusing a login takes the same work for known and unknown accounts (D8)', async () => {
    const user = await auth.newUser();
    const refuse = (email: string) => () => auth.logIn({ email }, { password: 'wrong password' });
    const known = await workOf(refuse(user.email));
    expect(known).toMatchObject(oneComparison);
    expect(await workOf(refuse(unknownEmail))).toEqual(known);
  });

  test('refusing a code takes the same work for known and unknown accounts', async () => {
    const [user, withCode] = [await auth.newUser(), await auth.newUser()];
    await auth.call('POST', '/api/v3/login/otp', { body: { email: withCode.email } });
    const refuse = (email: string) => () =>
      auth.call('POST', '/api/v3/login/otp/verify', { body: { email, code: 'wrong' } });
    const known = await workOf(refuse(withCode.email));
    expect(known).toMatchObject(oneComparison);
    for (const email of [user.email, unknownEmail]) expect(await workOf(refuse(email))).toEqual(known);
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
