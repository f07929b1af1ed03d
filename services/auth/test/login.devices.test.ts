import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, startAuthService } from './authService.ts';

const limited = { DEVICE_LIMIT_TOTAL: '3', DEVICE_LIMIT_APP: '1', DEVICE_LIMIT_DESKTOP: '1' };

let auth: AuthService;
let unlimited: AuthService;
beforeAll(async () => {
  [auth, unlimited] = await Promise.all([startAuthService(limited), startAuthService()]);
});
afterAll(() => Promise.all([auth.close(), unlimited.close()]));

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const on = (device_token: string, device_type = 'web') => ({
  body: { device_token },
  headers: { device_type },
});
const refused = (message: string) => ({ status: 401, body: { message, errors: null } });

const devicesOf = (service: AuthService, userId: number) =>
  service.rows(
    'SELECT token, type, name, is_disabled FROM auth.devices WHERE user_id = $1 ORDER BY id',
    userId,
  );

describe('a device (D9)', () => {
  test('a browser without a token receives one and is recognized by its User-Agent', async () => {
    const user = await unlimited.newUser();
    const browser = (agent: string) => unlimited.logIn(user, { headers: { 'user-agent': agent } });
    const first = (await browser('Firefox')).headers.get('device_token');
    expect(first).toMatch(uuid);
    expect((await browser('Firefox')).headers.get('device_token')).toBe(first);
    expect((await browser('Chrome')).headers.get('device_token')).not.toBe(first);
    expect(await devicesOf(unlimited, user.id)).toHaveLength(2);
  });

  test('a browser that sends the generated token remains the same device', async () => {
    const user = await unlimited.newUser();
    const generated = (await unlimited.logIn(user)).headers.get('device_token') ?? '';
    const answer = await unlimited.logIn(user, on(generated));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('device_token')).toBeNull();
    expect(await devicesOf(unlimited, user.id)).toHaveLength(1);
  });

  test('the body describes the device, or else the headers; an unknown type is web', async () => {
    const user = await unlimited.newUser();
    const headers = { device_type: 'app', device_token: 'from-header', 'device-name': 'Phone' };
    await unlimited.logIn(user, { headers });
    await unlimited.logIn(user, { headers, body: { device_token: 'from-body', device_name: 'Tablet' } });
    await unlimited.logIn(user, on('toaster', 'toaster'));
    expect(await devicesOf(unlimited, user.id)).toEqual([
      { token: 'from-header', type: 'app', name: 'Phone', is_disabled: false },
      { token: 'from-body', type: 'app', name: 'Tablet', is_disabled: false },
      { token: 'toaster', type: 'web', name: null, is_disabled: false },
    ]);
  });

  test('the device headers are also read with hyphens, and the underscore wins (D54)', async () => {
    const user = await unlimited.newUser();
    await unlimited.logIn(user, { headers: { 'Device-Type': 'app', 'Device-Token': 'hyphen' } });
    const both = { device_token: 'underscore', 'Device-Token': 'hyphen', 'Device-Type': 'desktop' };
    await unlimited.logIn(user, { headers: both });
    expect(await devicesOf(unlimited, user.id)).toEqual([
      { token: 'hyphen', type: 'app', name: null, is_disabled: false },
      { token: 'underscore', type: 'desktop', name: null, is_disabled: false },
    ]);
  });

  test('a device may have any characters in its token, name and User-Agent', async () => {
    const user = await unlimited.newUser();
    const odd = 'it\'s \\ $1 $$ :x ? %_ " é 🎓';
    for (let i = 0; i < 2; i += 1)
      expect((await unlimited.logIn(user, { body: { device_token: odd, device_name: odd } })).status).toBe(
        200,
      );
    const headers = { 'user-agent': 'it\'s \\ $1 $$ :x ? "' };
    for (let i = 0; i < 2; i += 1) expect((await unlimited.logIn(user, { headers })).status).toBe(200);
    const devices = await devicesOf(unlimited, user.id);
    expect(devices).toHaveLength(2);
    expect(devices[0]).toMatchObject({ token: odd, name: odd });
  });

  test('an app without a token is not tracked', async () => {
    const user = await unlimited.newUser();
    const answer = await unlimited.logIn(user, { headers: { device_type: 'app' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('device_token')).toBeNull();
    expect(await devicesOf(unlimited, user.id)).toEqual([]);
  });

  test('an app without a token is refused where apps are limited, whether or not the account exists', async () => {
    for (const email of [(await auth.newUser()).email, 'unknown@school.example'])
      expect(await auth.logIn({ email }, { headers: { device_type: 'app' } })).toMatchObject({
        status: 422,
        body: { message: 'The device token field is required.' },
      });
  });

  test('a device may be used with several accounts by default', async () => {
    for (const user of [await unlimited.newUser(), await unlimited.newUser()])
      expect((await unlimited.logIn(user, on('family computer'))).status).toBe(200);
  });

  test('a disabled device is refused even without a token, and takes no slot', async () => {
    const user = await auth.newUser();
    await auth.logIn(user);
    for (const token of ['a', 'b']) await auth.logIn(user, on(token));
    await auth.rows(
      'UPDATE auth.devices SET is_disabled = true WHERE user_id = $1 AND user_agent IS NOT NULL',
      user.id,
    );
    const message = 'Your device has been disabled, please contact admin.';
    expect(await auth.logIn(user)).toMatchObject(refused(message));
    expect((await auth.logIn(user, on('c'))).status).toBe(200);
  });
});

describe('a device limit (D10)', () => {
  test('a device beyond the limit is refused with the name of the limit; registered devices still log in', async () => {
    const user = await auth.newUser();
    for (const token of ['a', 'b', 'c']) expect((await auth.logIn(user, on(token))).status).toBe(200);
    const answer = await auth.logIn(user, on('d'));
    expect(answer).toMatchObject(
      refused('You have reached the maximum number of devices allowed for login.'),
    );
    expect(answer.headers.get('device_limit')).toBe('total=3');
    expect((await auth.logIn(user, on('a'))).status).toBe(200);
    expect(await devicesOf(auth, user.id)).toHaveLength(3);
  });

  test.each(['app', 'desktop'])('the limit for the type %s has its own message', async (type) => {
    const user = await auth.newUser();
    expect((await auth.logIn(user, on('first', type))).status).toBe(200);
    const answer = await auth.logIn(user, on('second', type));
    const message = `You have reached the maximum number of ${type} devices allowed for login.`;
    expect(answer).toMatchObject(refused(message));
    expect(answer.headers.get('device_limit')).toBe(`${type}=1`);
  });

  test('a registered device cannot bypass a limit by changing its type', async () => {
    const user = await auth.newUser();
    await auth.logIn(user, on('phone', 'app'));
    await auth.logIn(user, on('browser'));
    expect((await auth.logIn(user, on('browser', 'app'))).headers.get('device_limit')).toBe('app=1');
  });

  test('a reached limit is revealed only with the right password', async () => {
    const user = await auth.newUser();
    for (const token of ['a', 'b', 'c']) await auth.logIn(user, on(token));
    const answer = await auth.logIn(user, { ...on('d'), password: 'wrong password' });
    expect(answer.body.message).toBe('These credentials do not match our records.');
    expect(answer.headers.get('device_limit')).toBeNull();
  });

  test('a limit of three admits exactly three of eight simultaneous logins', async () => {
    const user = await auth.newUser();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => auth.logIn(user, on(`device ${index}`))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 401, 401, 401, 401, 401]);
    expect(await devicesOf(auth, user.id)).toHaveLength(3);
  });
});

test('simultaneous logins from one browser register one device', async () => {
  const user = await unlimited.newUser();
  const answers = await Promise.all(Array.from({ length: 6 }, () => unlimited.logIn(user)));
  expect(new Set(answers.map(({ headers }) => headers.get('device_token'))).size).toBe(1);
});
