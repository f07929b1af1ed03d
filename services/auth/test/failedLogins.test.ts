import { randomUUID } from 'node:crypto';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

interface Source {
  address: string;
  device?: string;
}

let lastAddress = 0;
const newAddress = () => {
  lastAddress += 1;
  return `198.51.100.${lastAddress}`;
};
const newDevice = () => randomUUID();

/** Logs in from an address, which the gateway passes in this header, and optionally with a device token. */
const logIn = (account: { email: string }, { address, device }: Source, password?: string) =>
  auth.logIn(account, {
    ...(password === undefined ? {} : { password }),
    headers: { 'x-forwarded-for': address, ...(device ? { device_token: device } : {}) },
  });
const statusOf = async (...login: Parameters<typeof logIn>) => (await logIn(...login)).status;

/** Tries wrong passwords one after the other and returns the statuses. */
async function guess(account: { email: string }, source: () => Source, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i += 1) statuses.push(await statusOf(account, source(), 'wrong password'));
  return statuses;
}
const anywhere = (): Source => ({ address: newAddress(), device: newDevice() });
const tenAndRefused = [...Array(10).fill(401), 429];

async function accountOf(source: Source): Promise<Account> {
  const user = await auth.newUser();
  expect(await statusOf(user, source)).toBe(200);
  return user;
}

describe('failed logins (D50)', () => {
  test('failures from all unknown devices and addresses share one count', async () => {
    const user = await auth.newUser();
    expect(await guess(user, anywhere, 11)).toEqual(tenAndRefused);
    expect(await statusOf(user, anywhere())).toBe(429);
  });

  test('the address and the mobile number of an account share one count', async () => {
    const user = await auth.newUser();
    expect(await guess({ email: user.email }, anywhere, 5)).toEqual(Array(5).fill(401));
    expect(await guess({ email: user.mobile }, anywhere, 6)).toEqual([...Array(5).fill(401), 429]);
  });

  test('a device that has logged in before can still log in while others guess', async () => {
    const device = newDevice();
    const user = await accountOf({ address: newAddress(), device });
    await guess(user, anywhere, 11);
    expect(await statusOf(user, { address: newAddress(), device })).toBe(200);
  });

  test('an address from which the account has logged in can still log in while others guess', async () => {
    const address = newAddress();
    const user = await accountOf({ address });
    await guess(user, anywhere, 11);
    expect(await statusOf(user, { address, device: newDevice() })).toBe(200);
    expect(await statusOf(user, { address: newAddress() })).toBe(429);
  });

  test('a login with a one-time code also makes its network address known', async () => {
    const user = await auth.newUser();
    const headers = { 'x-forwarded-for': newAddress() };
    const code = await codeOf(user);
    const body = { email: user.email, code };
    expect((await auth.call('POST', '/api/v3/login/otp/verify', { body, headers })).status).toBe(200);
    await guess(user, anywhere, 11);
    expect(await statusOf(user, { address: headers['x-forwarded-for'] })).toBe(200);
  });

  test('known devices and known addresses have separate limits', async () => {
    const known = { address: newAddress(), device: newDevice() };
    const user = await accountOf(known);
    expect(await guess(user, () => ({ ...known, address: newAddress() }), 11)).toEqual(tenAndRefused);
    expect(await statusOf(user, known)).toBe(429);
    expect(await guess(user, () => ({ address: known.address }), 11)).toEqual(tenAndRefused);
    expect(await statusOf(user, anywhere())).toBe(200);
  });

  test('guesses at a shared address do not lock out a known device there', async () => {
    const owner = { address: newAddress(), device: newDevice() };
    const user = await accountOf(owner);
    await guess(user, () => ({ address: owner.address, device: newDevice() }), 11);
    expect(await statusOf(user, owner)).toBe(200);
  });

  test('the devices and addresses of one account are unknown to another', async () => {
    const known = { address: newAddress(), device: newDevice() };
    await accountOf(known);
    const victim = await auth.newUser();
    await guess(victim, anywhere, 10);
    expect(await statusOf(victim, known)).toBe(429);
  });

  test('a disabled device does not count as known', async () => {
    const device = newDevice();
    const user = await accountOf({ address: newAddress(), device });
    await auth.rows('UPDATE auth.devices SET is_disabled = true WHERE user_id = $1', user.id);
    await guess(user, anywhere, 10);
    expect(await statusOf(user, { address: newAddress(), device })).toBe(429);
  });

  test('an address stays known for 30 days', async () => {
    const address = newAddress();
    const user = await accountOf({ address });
    const age = (days: number) =>
      auth.rows(
        'UPDATE auth.login_addresses SET last_login_at = now() - make_interval(days => $2) WHERE user_id = $1',
        user.id,
        days,
      );
    await guess(user, anywhere, 10);
    await age(31);
    expect(await statusOf(user, { address })).toBe(429);
    await age(29);
    expect(await statusOf(user, { address })).toBe(200);
  });

  test('IPv6 addresses are counted by network, because a client chooses the rest', async () => {
    const user = await accountOf({ address: '2001:db8:1:2::1' });
    await guess(user, anywhere, 10);
    expect(await statusOf(user, { address: '2001:db8:1:3::1' })).toBe(429);
    expect(await statusOf(user, { address: '2001:db8:1:2:ffff::9' })).toBe(200);
  });

  test('deleting an account deletes its known addresses', async () => {
    const user = await accountOf({ address: newAddress() });
    const addresses = () => auth.rows('SELECT 1 FROM auth.login_addresses WHERE user_id = $1', user.id);
    expect(await addresses()).toHaveLength(1);
    await auth.call('DELETE', `/api/v3/admin/users/${user.id}`, { token: auth.admin });
    expect(await addresses()).toEqual([]);
  });
});

describe('wrong one-time codes (D50)', () => {
  test('thirty wrong codes for an account in a day block codes, but not passwords', async () => {
    const user = await auth.newUser();
    const statuses: number[] = [];
    for (const email of [user.email, user.mobile])
      for (let i = 0; i < 15; i += 1) statuses.push(await verify(email, 'wrong'));
    expect(statuses).toEqual(Array(30).fill(401));
    expect(await verify(user.email, 'wrong')).toBe(429);
    expect(await verify(user.email, await codeOf(user))).toBe(429);
    expect((await auth.logIn(user)).status).toBe(200);
    const [count] = await auth.rows(
      "SELECT expires_at > now() + interval '23 hours' AS lasts FROM auth.attempts WHERE key = $1",
      `wrong code ${user.id}`,
    );
    expect(count).toEqual({ lasts: true });
  });

  test('wrong passwords do not block codes', async () => {
    const user = await auth.newUser();
    expect(await guess(user, anywhere, 11)).toEqual(tenAndRefused);
    expect(await verify(user.email, await codeOf(user))).toBe(200);
  });

  test('a hundred requests for codes do not block logins and send only five codes', async () => {
    const user = await auth.newUser();
    const request = (email: string) => auth.call('POST', '/api/v3/login/otp', { body: { email } });
    for (let i = 0; i < 50; i += 1)
      for (const email of [user.email, user.mobile]) expect((await request(email)).status).toBe(200);
    await waitFor(() => codesOf(user).length >= 5);
    expect((await auth.logIn(user)).status).toBe(200);
    expect(codesOf(user)).toHaveLength(5);
  });
});

const verify = async (email: string, code: string) =>
  (await auth.call('POST', '/api/v3/login/otp/verify', { body: { email, code } })).status;

/** The codes that the log contains for the account, because this service has no mail server. */
const codesOf = ({ email }: Account): string[] =>
  auth.service
    .log()
    .split('\n')
    .filter((line) => line.includes(email) && line.includes('"code"'))
    .map((line) => (JSON.parse(line) as { code: string }).code);

async function codeOf(user: Account): Promise<string> {
  const before = codesOf(user).length;
  await auth.call('POST', '/api/v3/login/otp', { body: { email: user.email } });
  await waitFor(() => codesOf(user).length > before);
  return codesOf(user).at(-1) ?? '';
}
