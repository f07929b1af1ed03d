import { callAs, pdf } from '@gradeway/test/api';
import { asAdmin, logIn, newAccount, newScene, newStudent, submitQuiz, unique } from '@gradeway/test/school';
import { waitFor } from '@gradeway/test/waitFor';
import { describe, expect, test } from 'vitest';

const unauthorized = { message: 'UnauthorizedRequest', errors: null };

/** One path of every service. */
const everywhere = ['/api/v3/me', '/api/v3/courses', '/api/v3/homeworks', '/api/v3/quiz/submissions'];

async function untilRefused(token: string): Promise<number> {
  const startedAt = Date.now();
  const caller = callAs(token);
  await waitFor(async () => {
    const answers = await Promise.all(everywhere.map((path) => caller.get(path)));
    return answers.every(({ status }) => status === 401);
  });
  return Date.now() - startedAt;
}

describe('a session', () => {
  test('is known by its token: GET /me is the account', async () => {
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

  test('goes on with a new token, and the old one stops working within two seconds (D12)', async () => {
    const student = await newStudent();
    const { status, body } = await student.post('/api/v3/token/refresh');
    expect(status).toBe(200);
    expect(body).toEqual({
      token_type: 'Bearer',
      access_token: expect.any(String),
      expires_in: expect.any(Number),
    });
    expect((await callAs(body.access_token).get('/api/v3/me')).status).toBe(200);
    expect(await untilRefused(student.token ?? '')).toBeLessThan(2_000);
    for (const path of everywhere) expect((await callAs(body.access_token).get(path)).status).toBe(200);
  });

  test('ends as a whole when a token is exchanged a second time', async () => {
    const student = await newStudent();
    const { body } = await student.post('/api/v3/token/refresh');
    expect((await student.post('/api/v3/token/refresh')).body).toEqual(unauthorized);
    expect(await untilRefused(body.access_token)).toBeLessThan(2_000);
  });

  test('ends with logout, everywhere within two seconds (D13)', async () => {
    const student = await newStudent();
    expect((await student.post('/api/v3/logout')).status).toBe(204);
    expect(await untilRefused(student.token ?? '')).toBeLessThan(2_000);
  });
});

describe('everywhere within two seconds, all sessions of an account end', () => {
  const ended = async (change: (id: number) => Promise<unknown>) => {
    const account = await newAccount();
    const tokens = [];
    for (let count = 0; count < 2; count += 1)
      tokens.push((await logIn(account.email, account.password)).body.access_token);
    for (const token of tokens)
      for (const path of everywhere) expect((await callAs(token).get(path)).status).toBe(200);
    await change(account.id);
    return Math.max(...(await Promise.all(tokens.map(untilRefused))));
  };

  test.each<[string, (id: number) => Promise<unknown>]>([
    [
      'when it is blocked',
      async (id) => (await asAdmin()).patch(`/api/v3/admin/users/${id}`, { is_blocked: true }),
    ],
    ['when it is deleted', async (id) => (await asAdmin()).delete(`/api/v3/admin/users/${id}`)],
    [
      'when an administrator sets its password',
      async (id) => (await asAdmin()).patch(`/api/v3/admin/users/${id}`, { password: 'another password' }),
    ],
    [
      'when it gets another role',
      async (id) => (await asAdmin()).patch(`/api/v3/admin/users/${id}`, { role: 'instructor' }),
    ],
  ])('%s (D13)', async (_, change) => {
    expect(await ended(change)).toBeLessThan(2_000);
  });

  test('when its device is disabled (D13)', async () => {
    const account = await newAccount();
    const { body } = await logIn(account.email, account.password, {
      device_token: unique(),
      device_type: 'app',
    });
    const admin = await asAdmin();
    const [device] = (await admin.get(`/api/v3/admin/users/${account.id}/devices`)).body.data;
    await admin.patch(`/api/v3/admin/devices/${device.id}`, { is_disabled: true });
    expect(await untilRefused(body.access_token)).toBeLessThan(2_000);
  });
});

describe('a password', () => {
  test('that is changed ends the other sessions and leaves this one (D13, D16)', async () => {
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
    expect(await untilRefused(there.body.access_token)).toBeLessThan(2_000);
    expect((await caller.get('/api/v3/me')).status).toBe(200);
    expect((await logIn(account.email, account.password)).status).toBe(401);
    expect((await logIn(account.email, 'a new password')).status).toBe(200);
  });

  test('is not changed without the right current one (D38)', async () => {
    const { status, body } = await (await newStudent()).put('/api/v3/password', {
      password: 'a new password',
      current_password: 'wrong',
    });
    const errors = { current_password: ['The current password is incorrect.'] };
    expect([status, body]).toEqual([422, { message: 'Invalid Data', errors }]);
  });
});

test('asking for a code is answered the same for everybody (D16)', async () => {
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

test('own devices are listed, and one that is removed must log in again', async () => {
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
  expect(await untilRefused(second.body.access_token)).toBeLessThan(2_000);
  expect((await caller.get('/api/v3/me')).status).toBe(200);
  expect((await (await newStudent()).delete(`/api/v3/devices/${data[0].id}`)).status).toBe(404);
});

test('a student whose session has ended uploads nothing', async () => {
  const scene = await newScene();
  await scene.student.post('/api/v3/logout');
  await untilRefused(scene.student.token ?? '');
  expect((await submitQuiz(scene, { file: await pdf() })).body).toEqual(unauthorized);
});
