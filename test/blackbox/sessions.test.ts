import { unique } from '@gradeway/test/fixtures';
import { pdf } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { describe, expect, test } from 'vitest';
import { asAdmin, callAs, logIn, newAccount, newScene, newStudent, submitQuiz } from './fixtures.ts';

const unauthorized = { message: 'UnauthorizedRequest', errors: null };

/** One path of each service. */
const everywhere = ['/api/v3/me', '/api/v3/courses', '/api/v3/homeworks', '/api/v3/quiz/submissions'];

// D13 promises two seconds; `npm run bench revocation` measures them.
async function waitUntilRefused(token = ''): Promise<void> {
  const client = callAs(token);
  await waitFor(async () => {
    const answers = await Promise.all(everywhere.map((path) => client.get(path)));
    return answers.every(({ status }) => status === 401);
  });
}

describe('sessions', () => {
  test('GET /me returns the account of the token', async () => {
    const student = await newStudent();
    const { status, body } = await student.get('/api/v3/me');
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: student.id,
      email: student.email,
      role: 'user',
      is_blocked: false,
    });
  });

  test('a refreshed session continues with the new token, and the old token is refused everywhere (D12)', async () => {
    const student = await newStudent();
    const { status, body } = await student.post('/api/v3/token/refresh');
    expect(status).toBe(200);
    expect(body).toEqual({
      token_type: 'Bearer',
      access_token: expect.any(String),
      expires_in: expect.any(Number),
    });
    expect((await callAs(body.access_token).get('/api/v3/me')).status).toBe(200);
    await waitUntilRefused(student.token);
    for (const path of everywhere) expect((await callAs(body.access_token).get(path)).status).toBe(200);
  });

  test('a repeated refresh continues the session, and a further one ends it (D52)', async () => {
    const student = await newStudent();
    const tokens = [];
    for (let i = 0; i < 2; i += 1)
      tokens.push((await student.post('/api/v3/token/refresh')).body.access_token);
    for (const token of tokens) expect((await callAs(token).get('/api/v3/me')).status).toBe(200);
    expect((await student.post('/api/v3/token/refresh')).body).toEqual(unauthorized);
    for (const token of tokens) await waitUntilRefused(token);
  });

  test('users list their open sessions, and end one of them', async () => {
    const [student, other] = [await newStudent(), await newStudent()];
    const device = { device_type: 'app', 'device-name': 'Phone', device_token: unique() };
    const { body: phone } = await logIn(student.email, student.password, device);
    const { body } = await student.get('/api/v3/me/sessions');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(body.data).toEqual([
      { id: phone.ss_record, device_type: 'app', device_name: 'Phone', created_at: time, is_current: false },
      expect.objectContaining({ device_type: 'web', is_current: true }),
    ]);
    const path = `/api/v3/me/sessions/${phone.ss_record}`;
    expect((await other.delete(path)).status).toBe(404);
    expect((await student.delete(path)).status).toBe(204);
    await waitUntilRefused(phone.access_token);
    expect((await student.delete(path)).status).toBe(404);
    expect((await student.get('/api/v3/me/sessions')).body.meta.total).toBe(1);
  });

  test('a logout ends the session everywhere (D13)', async () => {
    const student = await newStudent();
    expect((await student.post('/api/v3/logout')).status).toBe(204);
    await waitUntilRefused(student.token);
  });
});

describe('sessions of a changed account', () => {
  const waitUntilSessionsEnd = async (change: (id: number) => Promise<unknown>) => {
    const account = await newAccount();
    const tokens = [];
    for (let count = 0; count < 2; count += 1)
      tokens.push((await logIn(account.email, account.password)).body.access_token);
    for (const token of tokens)
      for (const path of everywhere) expect((await callAs(token).get(path)).status).toBe(200);
    await change(account.id);
    await Promise.all(tokens.map(waitUntilRefused));
  };

  test.each<[string, (id: number) => Promise<unknown>]>([
    [
      'it is blocked',
      async (id) => (await asAdmin()).patch(`/api/v3/admin/users/${id}`, { is_blocked: true }),
    ],
    ['it is deleted', async (id) => (await asAdmin()).delete(`/api/v3/admin/users/${id}`)],
    [
      'an administrator sets its password',
      async (id) => (await asAdmin()).patch(`/api/v3/admin/users/${id}`, { password: 'another password' }),
    ],
    [
      'it gets another role',
      async (id) => (await asAdmin()).patch(`/api/v3/admin/users/${id}`, { role: 'instructor' }),
    ],
  ])('all sessions of an account end everywhere when %s (D13)', async (_, change) => {
    await waitUntilSessionsEnd(change);
  });

  test('a session ends everywhere when its device is disabled (D13)', async () => {
    const account = await newAccount();
    const { body } = await logIn(account.email, account.password, {
      device_token: unique(),
      device_type: 'app',
    });
    const admin = await asAdmin();
    const [device] = (await admin.get(`/api/v3/admin/users/${account.id}/devices`)).body.data;
    await admin.patch(`/api/v3/admin/devices/${device.id}`, { is_disabled: true });
    await waitUntilRefused(body.access_token);
  });
});

describe('passwords', () => {
  test('a password change ends the other sessions and keeps the current one (D13, D16)', async () => {
    const account = await newAccount();
    const [here, there] = [
      await logIn(account.email, account.password),
      await logIn(account.email, account.password),
    ];
    const caller = callAs(here.body.access_token);
    const changed = await caller.put('/api/v3/password', {
      password: 'a new password',
      current_password: account.password,
    });
    expect([changed.status, changed.body.status]).toEqual([200, true]);
    await waitUntilRefused(there.body.access_token);
    expect((await caller.get('/api/v3/me')).status).toBe(200);
    expect((await logIn(account.email, account.password)).status).toBe(401);
    expect((await logIn(account.email, 'a new password')).status).toBe(200);
  });

  test('a password change needs the current password (D38)', async () => {
    const { status, body } = await (await newStudent()).put('/api/v3/password', {
      password: 'a new password',
      current_password: 'wrong',
    });
    const errors = { current_password: ['The current password is incorrect.'] };
    expect([status, body]).toEqual([422, { message: 'Invalid Data', errors }]);
  });
});

test('a request for a code gets the same response for known and unknown accounts (D16)', async () => {
  const account = await newAccount();
  for (const email of [account.email, `${unique()}@nowhere.example`]) {
    const { status, body } = await callAs().post('/api/v3/login/otp', { email });
    expect([status, body]).toEqual([
      200,
      { status: true, message: 'If the account exists, a code has been sent.' },
    ]);
  }
  const refused = await callAs().post('/api/v3/login/otp/verify', { email: account.email, code: '000000' });
  expect([refused.status, refused.body.message]).toEqual([
    401,
    'These credentials do not match our records.',
  ]);
});

test('users list their own devices, and a removed device must log in again', async () => {
  const account = await newAccount();
  const first = await logIn(account.email, account.password, {
    device_token: unique(),
    device_type: 'app',
    'device-name': 'Phone',
  });
  const second = await logIn(account.email, account.password, {
    device_token: unique(),
    device_type: 'desktop',
  });
  const caller = callAs(first.body.access_token);
  const { data } = (await caller.get('/api/v3/devices')).body;
  expect(data.map(({ device_type }: { device_type: string }) => device_type).toSorted()).toEqual([
    'app',
    'desktop',
  ]);
  const desktop = data.find(({ device_type }: { device_type: string }) => device_type === 'desktop');
  expect((await caller.delete(`/api/v3/devices/${desktop.id}`)).status).toBe(204);
  await waitUntilRefused(second.body.access_token);
  expect((await caller.get('/api/v3/me')).status).toBe(200);
  expect((await (await newStudent()).delete(`/api/v3/devices/${data[0].id}`)).status).toBe(404);
});

test('a student whose session has ended cannot upload', async () => {
  const scene = await newScene();
  await scene.student.post('/api/v3/logout');
  await waitUntilRefused(scene.student.token);
  expect((await submitQuiz(scene, { file: await pdf() })).body).toEqual(unauthorized);
});
