import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService({ DEVICE_LIMIT_TOTAL: '2' });
});
afterAll(() => auth.close());

const admin = (method: string, path: string, body?: unknown) =>
  auth.call(method, `/api/v3/admin/${path}`, { token: auth.admin, body });
const me = async (token: string) => (await auth.call('GET', '/api/v3/me', { token })).status;
const notFound = { status: 404, body: { message: 'Not Found', errors: null } };
const on = (device_token: string) => ({ body: { device_token, device_name: `The ${device_token}` } });

/** The ids of an account's devices by name, as an administrator sees them. */
async function devicesOf({ id }: Account) {
  const { body } = await admin('GET', `users/${id}/devices`);
  return Object.fromEntries(
    body.data.map((device: { device_name: string; id: number }) => [device.device_name, device.id]),
  ) as Record<string, number>;
}

describe('devices of an account', () => {
  test('administrators and the owner can list the devices of an account, most recently used first', async () => {
    const user = await auth.newUser();
    await auth.logIn(user, on('phone'));
    const token = await auth.tokenOf(user, on('laptop'));
    const forAdmin = await admin('GET', `users/${user.id}/devices`);
    const forOwner = await auth.call('GET', '/api/v3/devices?per_page=1', { token });
    const device = (device_name: string) => ({
      id: expect.any(Number),
      device_type: 'web',
      device_name,
      is_disabled: false,
      last_login_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    expect(forAdmin.body.data).toEqual([device('The laptop'), device('The phone')]);
    expect(forAdmin.body.meta).toMatchObject({ total: 2, per_page: 15 });
    expect(forOwner.body.data).toEqual([device('The laptop')]);
    expect(forOwner.body.meta).toMatchObject({ total: 2, per_page: 1, last_page: 2 });
  });

  test('a disabled device is logged out and cannot log in until it is enabled again', async () => {
    const user = await auth.newUser();
    const [lost, kept] = [await auth.tokenOf(user, on('phone')), await auth.tokenOf(user, on('laptop'))];
    const { 'The phone': id } = await devicesOf(user);
    const disabled = await admin('PATCH', `devices/${id}`, { is_disabled: true });
    expect(disabled).toMatchObject({ status: 200, body: { data: { id, is_disabled: true } } });
    expect([await me(lost), await me(kept)]).toEqual([401, 200]);
    expect((await auth.logIn(user, on('phone'))).body.message).toBe(
      'Your device has been disabled, please contact admin.',
    );
    expect((await auth.call('DELETE', `/api/v3/devices/${id}`, { token: kept })).status).toBe(403);
    await admin('PATCH', `devices/${id}`, { is_disabled: false });
    expect((await auth.logIn(user, on('phone'))).status).toBe(200);
  });

  test('a deleted device is logged out and frees its slot', async () => {
    const user = await auth.newUser();
    const [phone, laptop] = [await auth.tokenOf(user, on('phone')), await auth.tokenOf(user, on('laptop'))];
    expect((await auth.logIn(user, on('tablet'))).status).toBe(401);
    const ids = await devicesOf(user);
    const own = await auth.call('DELETE', `/api/v3/devices/${ids['The phone']}`, { token: laptop });
    expect(own).toMatchObject({ status: 204, body: null });
    expect([await me(phone), await me(laptop)]).toEqual([401, 200]);
    expect((await auth.logIn(user, on('tablet'))).status).toBe(200);
    expect((await admin('DELETE', `devices/${ids['The laptop']}`)).status).toBe(204);
    expect(await me(laptop)).toBe(401);
  });

  test('a user cannot delete the device of another user', async () => {
    const [user, other] = [await auth.newUser(), await auth.newUser()];
    await auth.logIn(user, on('phone'));
    const { 'The phone': id } = await devicesOf(user);
    const token = await auth.tokenOf(other, on('phone'));
    expect(await auth.call('DELETE', `/api/v3/devices/${id}`, { token })).toMatchObject(notFound);
    expect(Object.values(await devicesOf(user))).toEqual([id]);
  });

  test('an unknown device is not found, and an invalid change is refused', async () => {
    for (const id of ['0', '999999', 'x', '99999999999']) {
      expect(await admin('PATCH', `devices/${id}`, { is_disabled: true })).toMatchObject(notFound);
      expect(await admin('DELETE', `devices/${id}`)).toMatchObject(notFound);
      expect(await auth.call('DELETE', `/api/v3/devices/${id}`, { token: auth.admin })).toMatchObject(
        notFound,
      );
    }
    expect((await admin('PATCH', 'devices/1', { is_disabled: 'x' })).body.errors).toEqual({
      is_disabled: ['The is disabled field must be true or false.'],
    });
  });
});
