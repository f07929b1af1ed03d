import { unique } from '@gradeway/test/fixtures';
import { describe, expect, test } from 'vitest';
import { asAdmin, callAs, logIn, newAccount } from './fixtures.ts';

const refused = (message: string) => ({ message, errors: null });

describe('POST /login', () => {
  test('a login returns the login result with every field and nothing else', async () => {
    const account = await newAccount({
      mobile: `+43660${Math.floor(Math.random() * 1e9)}`,
      is_verified: true,
    });
    const [lifetime, clockSkew] = [12 * 3600, 5];
    const before = Math.floor(Date.now() / 1000);
    const { status, body } = await logIn(account.email, account.password);
    const after = Math.ceil(Date.now() / 1000);
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
      data: account.id,
      mobile: expect.stringMatching(/^\+43660\d+$/),
      role: 'user',
      is_approved: true,
    });
    expect(body.expires_in).toBeGreaterThanOrEqual(before + lifetime - clockSkew);
    expect(body.expires_in).toBeLessThanOrEqual(after + lifetime + clockSkew);
  });

  test('a mobile number can be given instead of the address, and its spaces and dashes are ignored (D8)', async () => {
    const digits = String(Math.floor(Math.random() * 1e9)).padStart(9, '0');
    const account = await newAccount({ email: undefined, mobile: `+43 660-${digits}` });
    const { status, body } = await logIn(`+43660 ${digits.slice(0, 4)}-${digits.slice(4)}`, account.password);
    expect(status).toBe(200);
    expect(body).toMatchObject({ data: account.id, missed_data: true, array_of_missing_data: ['email'] });
  });

  test('the case of the address does not matter (D8)', async () => {
    const account = await newAccount();
    expect((await logIn(account.email.toUpperCase(), account.password)).status).toBe(200);
  });

  test('an account without a mobile number has an empty one, listed as missing (D15, D33)', async () => {
    const account = await newAccount();
    const { body } = await logIn(account.email, account.password);
    expect(body).toMatchObject({ mobile: '', missed_data: true, array_of_missing_data: ['mobile'] });
  });

  test('an unapproved account can log in, and is_approved is false (D17)', async () => {
    const account = await newAccount({ is_approved: false });
    expect((await logIn(account.email, account.password)).body.is_approved).toBe(false);
  });

  test.each(['user', 'instructor', 'admin'])('a login returns the role %s', async (role) => {
    const account = await newAccount({ role });
    expect((await logIn(account.email, account.password)).body.role).toBe(role);
  });
});

describe('refused logins', () => {
  test('a wrong password and an unknown account get the same response', async () => {
    const account = await newAccount();
    const wrong = await logIn(account.email, 'not the password');
    const unknown = await logIn(`${unique()}@nowhere.example`, 'not the password');
    expect([wrong.status, wrong.body]).toEqual([401, refused('These credentials do not match our records.')]);
    expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
  });

  test('a parent cannot log in', async () => {
    const { email, password } = await newAccount({ role: 'parent' });
    const { status, body } = await logIn(email, password);
    expect([status, body]).toEqual([401, refused('Parent login not allowed.')]);
  });

  test('a blocked account is reported only to a client that sends the right password (D8)', async () => {
    const { id, email, password } = await newAccount();
    await (await asAdmin()).patch(`/api/v3/admin/users/${id}`, { is_blocked: true });
    const known = await logIn(email, password);
    expect([known.status, known.body]).toEqual([401, refused('Blocked User')]);
    const stranger = await logIn(email, 'not the password');
    expect(stranger.body).toEqual(refused('These credentials do not match our records.'));
  });

  test('a disabled device cannot log in', async () => {
    const { id, email, password } = await newAccount();
    const headers = { device_token: unique(), device_type: 'app' };
    await logIn(email, password, headers);
    const admin = await asAdmin();
    const [device] = (await admin.get(`/api/v3/admin/users/${id}/devices`)).body.data;
    await admin.patch(`/api/v3/admin/devices/${device.id}`, { is_disabled: true });
    const { status, body } = await logIn(email, password, headers);
    expect([status, body]).toEqual([401, refused('Your device has been disabled, please contact admin.')]);
  });

  test.each([
    [{}, 'The email field is required.'],
    [{ email: 'ada@test.example' }, 'The password field is required.'],
    [{ password: 'x' }, 'The email field is required.'],
    [{ email: '', password: 'x' }, 'The email field is required.'],
    [{ email: null, password: 'x' }, 'The email field is required.'],
    [{ email: 5, password: 'x' }, 'The email must be a string.'],
    [{ email: ['a'], password: 'x' }, 'The email must be a string.'],
    [{ email: 'ada@test.example', password: { a: 1 } }, 'The password must be a string.'],
    [[], 'The email field is required.'],
  ])('the body %j is 422, and the response has only the message (D2)', async (given, message) => {
    const { status, body } = await callAs().post('/api/v3/login', given);
    expect([status, body]).toEqual([422, { message }]);
  });

  test('malformed JSON is 400, another content type is 415, and a body over the limit is 413', async () => {
    const post = (body: string, type: string) =>
      callAs().post('/api/v3/login', body, { 'content-type': type });
    expect((await post('{"email":', 'application/json')).body).toEqual(refused('Malformed JSON'));
    expect((await post('email=a', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await post(`{"email":"${'a'.repeat(200_000)}"}`, 'application/json')).status).toBe(413);
    expect((await post('['.repeat(50_000), 'application/json')).status).toBe(400);
  });
});

describe('devices', () => {
  test('device fields of the body take precedence over headers (D9)', async () => {
    const { id, email, password } = await newAccount();
    const [inBody, inHeader] = [unique(), unique()];
    const device = { device_token: inBody, device_name: 'Tablet' };
    const headers = { device_token: inHeader, 'device-name': 'Phone', device_type: 'app' };
    await callAs().post('/api/v3/login', { email, password, ...device }, headers);
    const devices = (await (await asAdmin()).get(`/api/v3/admin/users/${id}/devices`)).body.data;
    expect(devices).toEqual([expect.objectContaining({ device_type: 'app', device_name: 'Tablet' })]);
  });

  test('Device-Token and Device-Type are accepted as well as device_token and device_type (D54)', async () => {
    const { id, email, password } = await newAccount();
    const headers = { 'Device-Token': unique(), 'Device-Type': 'desktop' };
    const { status } = await callAs().post('/api/v3/login', { email, password }, headers);
    expect(status).toBe(200);
    const devices = (await (await asAdmin()).get(`/api/v3/admin/users/${id}/devices`)).body.data;
    expect(devices).toEqual([expect.objectContaining({ device_type: 'desktop' })]);
  });

  test('a web client without a device token gets one, and the same browser keeps it (D9)', async () => {
    const { id, email, password } = await newAccount();
    const browser = { 'user-agent': `Browser ${unique()}` };
    const first = await logIn(email, password, browser);
    expect(first.headers.get('device_token')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
    await logIn(email, password, browser);
    const devices = (await (await asAdmin()).get(`/api/v3/admin/users/${id}/devices`)).body.data;
    expect(devices).toHaveLength(1);
    expect(devices[0].device_type).toBe('web');
  });
});
