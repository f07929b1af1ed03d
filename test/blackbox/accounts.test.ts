import { unique } from '@gradeway/test/fixtures';
import { waitFor } from '@gradeway/test/waitFor';
import { describe, expect, test } from 'vitest';
import { asAdmin, callAs, enroll, logIn, newAccount, newCourse, newStudent } from './fixtures.ts';

const users = '/api/v3/admin/users';
const person = () => {
  const id = unique();
  return {
    first_name: 'Sofya',
    last_name: `K${id}`,
    email: `${id}@test.example`,
    password: 'a good password',
    role: 'user',
  };
};

describe('accounts', () => {
  test('administrators create, read, change and delete accounts', async () => {
    const admin = await asAdmin();
    const given = person();
    const made = await admin.post(users, { ...given, mobile: '+43 660 12345', is_verified: true });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect(made.body.data).toEqual({
      id,
      first_name: 'Sofya',
      last_name: given.last_name,
      name: `Sofya ${given.last_name}`,
      email: given.email,
      mobile: '+4366012345',
      role: 'user',
      is_approved: true,
      is_blocked: false,
      is_verified: true,
      is_verified_mobile: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    });
    expect((await admin.get(`${users}/${id}`)).body).toEqual(made.body);
    const changed = await admin.patch(`${users}/${id}`, {
      first_name: 'Sonja',
      mobile: null,
      is_approved: false,
    });
    expect(changed.body.data).toEqual({
      ...made.body.data,
      first_name: 'Sonja',
      name: `Sonja ${given.last_name}`,
      mobile: null,
      is_approved: false,
    });
    expect((await admin.delete(`${users}/${id}`)).status).toBe(204);
    expect((await admin.get(`${users}/${id}`)).body).toEqual({ message: 'Not Found', errors: null });
    expect((await logIn(given.email, given.password)).status).toBe(401);
    expect((await admin.post(users, given)).status).toBe(201);
  });

  test('the list of accounts is newest first and can be filtered by role and part of a name or address', async () => {
    const admin = await asAdmin();
    const mark = unique();
    const ids: number[] = [];
    for (const role of ['user', 'instructor', 'user']) {
      const { body } = await admin.post(users, { ...person(), first_name: `F${mark}`, role });
      ids.unshift(body.data.id);
    }
    const found = async (query: string) =>
      (await admin.get(`${users}?${query}`)).body.data.map(({ id }: { id: number }) => id);
    expect(await found(`search=f${mark}`)).toEqual(ids);
    expect(await found(`search=F${mark}&role=instructor`)).toEqual([ids[1]]);
    expect(await found(`search=${mark}&per_page=2&page=2`)).toEqual(ids.slice(2));
    expect(await found(`search=${mark}%25`)).toEqual([]);
    expect((await admin.get(`${users}?role=root`)).status).toBe(422);
  });

  test('a new account needs a first name, an address or number, a password and a role, and each error names its field', async () => {
    const admin = await asAdmin();
    const refused = async (body: object) => (await admin.post(users, body)).body.errors;
    expect(Object.keys(await refused({})).toSorted()).toEqual(
      expect.arrayContaining(['first_name', 'password', 'role']),
    );
    const { email: _, ...unreachable } = person();
    expect(Object.keys(await refused(unreachable))).toEqual(['email']);
    expect(Object.keys(await refused({ ...person(), email: 'not an address' }))).toEqual(['email']);
    expect(Object.keys(await refused({ ...person(), password: 'short' }))).toEqual(['password']);
    expect(Object.keys(await refused({ ...person(), role: 'root' }))).toEqual(['role']);
    expect(Object.keys(await refused({ ...person(), is_approved: 'yes' }))).toEqual(['is_approved']);
  });

  test('only one of several simultaneous accounts with the same address is created', async () => {
    const admin = await asAdmin();
    const given = person();
    const answers = await Promise.all(
      [1, 2, 3].map(() => admin.post(users, { ...given, email: given.email.toUpperCase() })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    expect(refused?.body).toEqual({
      message: 'Invalid Data',
      errors: { email: ['The email has already been taken.'] },
    });
  });

  test('only administrators can access accounts', async () => {
    const student = await newStudent();
    for (const { status, body } of await Promise.all([
      student.get(users),
      student.post(users, person()),
      student.get(`${users}/1`),
      student.delete(`${users}/1`),
    ]))
      expect([status, body]).toEqual([403, { message: 'Unauthorized Access', errors: null }]);
    expect((await callAs().get(users)).status).toBe(401);
  });
});

test('a changed name reaches the lists of other services', async () => {
  const [account, courseId] = [await newAccount(), await newCourse()];
  await enroll(courseId, account);
  await (await asAdmin()).patch(`${users}/${account.id}`, { first_name: 'Renamed' });
  await waitFor(async () => {
    const { body } = await (await asAdmin()).get(`/api/v3/admin/courses/${courseId}/students`);
    return body.data[0].name === `Renamed ${account.lastName}`;
  });
});

test('administrators list, disable and remove devices', async () => {
  const account = await newAccount();
  await logIn(account.email, account.password, {
    device_token: unique(),
    device_type: 'desktop',
    'device-name': 'Lab PC',
  });
  const admin = await asAdmin();
  const path = `${users}/${account.id}/devices`;
  const [device] = (await admin.get(path)).body.data;
  expect(device).toEqual({
    id: expect.any(Number),
    device_type: 'desktop',
    device_name: 'Lab PC',
    last_login_at: expect.any(String),
    is_disabled: false,
  });
  const disabled = await admin.patch(`/api/v3/admin/devices/${device.id}`, { is_disabled: true });
  expect(disabled.body.data.is_disabled).toBe(true);
  expect((await admin.delete(`/api/v3/admin/devices/${device.id}`)).status).toBe(204);
  expect((await admin.get(path)).body.data).toEqual([]);
});
