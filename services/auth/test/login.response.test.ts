import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuthService, password, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService({ DEVICE_SINGLE_ACCOUNT: '1' });
});
afterAll(() => auth.close());

const refused = (message: string) => ({ message, errors: null });
const wrong = refused('These credentials do not match our records.');

describe('a login', () => {
  test('a login returns the fourteen fields of the specification', async () => {
    const user = await auth.newUser({ is_verified: true, is_approved: false });
    const { status, body } = await auth.logIn(user);
    expect(status).toBe(200);
    expect(body).toEqual({
      token_type: 'Bearer',
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      expires_in: expect.any(Number),
      ss_record: expect.any(Number),
      missed_data: false,
      array_of_missing_data: [],
      change_password: false,
      cart_items: 0,
      is_verified: true,
      is_verified_mobile: false,
      data: user.id,
      mobile: user.mobile,
      role: 'user',
      is_approved: false,
    });
    expect(body.expires_in * 1000 - Date.now()).toBeGreaterThan(11.9 * 3_600_000);
  });

  test('a login lists the missing profile fields; a missing mobile number is empty (D15, D33)', async () => {
    const user = await auth.newUser({ mobile: null });
    const { body } = await auth.logIn(user);
    expect(body).toMatchObject({ missed_data: true, array_of_missing_data: ['mobile'], mobile: '' });
  });

  test('a login accepts the address in any case and the number with spaces and dashes (D8)', async () => {
    const user = await auth.newUser();
    const number = user.mobile.replace(/(\+\d\d)(\d\d\d)(\d+)/, ' $1 $2-$3 ');
    for (const email of [user.email.toUpperCase(), ` ${user.email} `, user.mobile, number])
      expect((await auth.logIn({ email })).status).toBe(200);
  });

  test('a login accepts an address and a password with any allowed characters', async () => {
    const odd = `o'$1$$&\`{x}!@school.example`;
    const user = await auth.newUser({ email: odd, password: " $1 '\\ :x ? %" });
    expect((await auth.logIn(user, { password: " $1 '\\ :x ? %" })).status).toBe(200);
    expect((await auth.logIn(user, { password: "$1 '\\ :x ? %" })).status).toBe(401);
  });

  test('a login accepts a password in a different Unicode normalization form', async () => {
    const user = await auth.newUser({ password: 'Schlüssel'.normalize('NFC') });
    expect((await auth.logIn(user, { password: 'Schlüssel'.normalize('NFD') })).status).toBe(200);
  });

  test('a wrong password and an unknown account are refused in the same way', async () => {
    const user = await auth.newUser();
    const answers = await Promise.all([
      auth.logIn(user, { password: 'wrong password' }),
      auth.logIn({ email: 'unknown@school.example' }),
      auth.logIn({ email: '+436601112223' }),
      auth.logIn({ email: 'not an address' }),
    ]);
    for (const { status, body } of answers) expect({ status, body }).toEqual({ status: 401, body: wrong });
  });

  test.each([
    ['a parent', { role: 'parent' }, 'Parent login not allowed.'],
    ['a blocked account', { is_blocked: true }, 'Blocked User'],
    ['a blocked parent', { role: 'parent', is_blocked: true }, 'Parent login not allowed.'],
  ])(
    'the login of %s is refused; the reason is shown only with the right password (D8)',
    async (_, change, message) => {
      const user = await auth.newUser();
      await auth.call('PATCH', `/api/v3/admin/users/${user.id}`, { token: auth.admin, body: change });
      expect(await auth.logIn(user)).toMatchObject({ status: 401, body: refused(message) });
      expect(await auth.logIn(user, { password: 'wrong password' })).toMatchObject({
        status: 401,
        body: wrong,
      });
    },
  );

  test('a login is checked in the order of D8: the block before the device, a disabled device before the single account', async () => {
    const [owner, other] = [await auth.newUser(), await auth.newUser()];
    const shared = { body: { device_token: `shared-${owner.id}` } };
    await auth.logIn(owner, shared);
    expect(await auth.logIn(other, shared)).toMatchObject({
      status: 400,
      body: refused('You are not allowed to use more than one account per device.'),
    });

    await auth.rows('UPDATE auth.devices SET is_disabled = true WHERE user_id = $1', owner.id);
    const again = { body: { device_token: `shared-${owner.id}` } };
    expect(await auth.logIn(owner, again)).toMatchObject({
      status: 401,
      body: refused('Your device has been disabled, please contact admin.'),
    });
    await auth.rows('UPDATE auth.users SET is_blocked = true WHERE id = $1', owner.id);
    expect((await auth.logIn(owner, again)).body).toEqual(refused('Blocked User'));
  });
});

describe('invalid login input', () => {
  test.each([
    ['no body', undefined, 'The email field is required.'],
    ['an empty body', {}, 'The email field is required.'],
    ['a list', [], 'The email field is required.'],
    ['an empty address', { email: '', password }, 'The email field is required.'],
    ['a blank address', { email: '  ', password }, 'The email field is required.'],
    ['an address that is null', { email: null, password }, 'The email field is required.'],
    ['an address that is not a string', { email: 7, password }, 'The email must be a string.'],
    ['no password', { email: 'a@b.example' }, 'The password field is required.'],
    ['an empty password', { email: 'a@b.example', password: '' }, 'The password field is required.'],
    [
      'a password that is not a string',
      { email: 'a@b.example', password: [] },
      'The password must be a string.',
    ],
    ['a NUL character', { email: 'a\0@b.example', password }, 'The email contains invalid characters.'],
    ['a lone surrogate', { email: 'a', password: '\ud800' }, 'The password contains invalid characters.'],
    [
      'a device token that is not a string',
      { email: 'a', password, device_token: {} },
      'The device token must be a string.',
    ],
    [
      'an overlong device name',
      { email: 'a', password, device_name: 'x'.repeat(256) },
      'The device name may not be greater than 255 characters.',
    ],
  ])('a login with %s returns only a message (D2)', async (_, body, message) => {
    const answer = await auth.call('POST', '/api/v3/login', { body });
    expect({ status: answer.status, body: answer.body }).toEqual({ status: 422, body: { message } });
  });

  test('another content type, malformed JSON and an oversized body have their own errors', async () => {
    const post = (body: string, headers = {}) => auth.call('POST', '/api/v3/login', { body, headers });
    expect(await post('email=a', { 'content-type': 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 415,
      body: refused('Unsupported Media Type'),
    });
    expect(await post('{"email":')).toMatchObject({ status: 400, body: refused('Malformed JSON') });
    expect(await post(JSON.stringify({ email: 'x'.repeat(200_000) }))).toMatchObject({
      status: 413,
      body: refused('Payload Too Large'),
    });
  });
});

describe('cart_items (D14)', () => {
  test('cart_items is the count from courses, or the last known one when courses takes longer than 300 ms', async () => {
    const user = await auth.newUser();
    const waitForItems = (items: number) =>
      waitFor(async () => (await auth.logIn(user)).body.cart_items === items);
    auth.courses.cart.items = 3;
    await waitForItems(3);
    auth.courses.cart.items = 5;
    auth.courses.cart.delayMs = 1_500;
    expect((await auth.logIn(user)).body.cart_items).toBe(3);
    auth.courses.cart.delayMs = 0;
    await waitForItems(5);
    auth.courses.cart.items = 0;
  });
});

describe('failed logins of one account (D34)', () => {
  test('ten failed logins within 15 minutes block even the right password, with a Retry-After header', async () => {
    const user = await auth.newUser();
    for (let i = 0; i < 10; i += 1)
      expect((await auth.logIn(user, { password: 'wrong password' })).status).toBe(401);
    const answer = await auth.logIn(user);
    expect(answer).toMatchObject({ status: 429, body: refused('Too Many Requests') });
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(900);
    await auth.rows("UPDATE auth.attempts SET expires_at = now() WHERE key LIKE 'login %'");
    expect((await auth.logIn(user)).status).toBe(200);
  });

  test('failed logins of an unknown account are counted as well', async () => {
    const guesses = [];
    for (let i = 0; i < 11; i += 1)
      guesses.push((await auth.logIn({ email: 'ghost@school.example' })).status);
    expect(guesses).toEqual([...Array(10).fill(401), 429]);
  });

  test('simultaneous failed logins are limited to ten as well', async () => {
    const user = await auth.newUser();
    const answers = await Promise.all(
      Array.from({ length: 25 }, () => auth.logIn(user, { password: 'wrong password' })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
  });

  test('simultaneous correct logins do not block each other', async () => {
    const user = await auth.newUser();
    const answers = await Promise.all(Array.from({ length: 15 }, () => auth.logIn(user)));
    expect(answers.map(({ status }) => status)).toEqual(Array(15).fill(200));
  });

  test('a successful login does not reset the count', async () => {
    const user = await auth.newUser();
    const guess = async () => (await auth.logIn(user, { password: 'wrong password' })).status;
    for (let i = 0; i < 9; i += 1) await guess();
    const elsewhere = { 'x-forwarded-for': '198.51.100.7' };
    expect((await auth.logIn(user, { headers: elsewhere })).status).toBe(200);
    expect([await guess(), await guess()]).toEqual([401, 429]);
  });
});
