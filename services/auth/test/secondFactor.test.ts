import { totpCode } from '@gradeway/test/totpCode';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, type AuthService, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

const path = '/api/v3/mfa/totp';
const confirm = (token: string, code: string) =>
  auth.call('POST', `${path}/confirm`, { token, body: { code } });
const remove = (token: string, code: string) => auth.call('DELETE', path, { token, body: { code } });
const logIn = (user: { email: string }, totp?: unknown) => auth.logIn(user, { body: { totp } });
const refused = (message: string) => ({ status: 401, body: { message, errors: null } });
const wrong = refused('These credentials do not match our records.');
const missing = refused('A second factor is required.');
const incorrect = {
  status: 422,
  body: { message: 'Invalid Data', errors: { code: ['The code is incorrect.'] } },
};

// A code of the same length that differs from the three currently valid ones.
const wrongCode = (secret: string) => {
  const valid = [-2, -1, 0, 1, 2].map((steps) => totpCode(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((each) => !valid.includes(each));
};

// The current code was used for the confirmation. The next one stays valid if its 30 seconds begin during the test.
const nextCode = (secret: string) => totpCode(secret, 1);

interface Enrolled {
  user: Account;
  token: string;
  secret: string;
  recoveryCodes: string[];
}

/** An account whose second factor was confirmed with the current code. */
async function enrolledUser(): Promise<Enrolled> {
  const user = await auth.newUser();
  const token = await auth.tokenOf(user);
  const { body } = await auth.call('POST', path, { token });
  const { secret } = body.data;
  const answer = await confirm(token, totpCode(secret));
  expect(answer.status).toBe(200);
  return { user, token, secret, recoveryCodes: answer.body.data.recovery_codes };
}

describe('enabling a second factor', () => {
  test('a request for a second factor returns a secret, which logins need only after its confirmation', async () => {
    const user = await auth.newUser();
    const token = await auth.tokenOf(user);
    const { status, body } = await auth.call('POST', path, { token });
    expect(status).toBe(201);
    const { secret, otpauth_url: url } = body.data;
    expect(body).toEqual({ data: { secret: expect.stringMatching(/^[A-Z2-7]{32}$/), otpauth_url: url } });
    expect(url).toContain(`secret=${secret}`);
    expect(decodeURIComponent(url)).toContain(user.email);
    expect((await auth.logIn(user)).status).toBe(200);

    expect(await confirm(token, wrongCode(secret) ?? '')).toMatchObject(incorrect);
    expect((await auth.logIn(user)).status).toBe(200);
    const confirmed = await confirm(token, totpCode(secret));
    expect(confirmed.status).toBe(200);
    const codes = confirmed.body.data.recovery_codes;
    expect([codes.length, new Set(codes).size]).toEqual([10, 10]);
    expect(await auth.logIn(user)).toMatchObject(missing);
    expect((await auth.call('GET', '/api/v3/me', { token })).status).toBe(200);
  });

  test('a second request before the confirmation replaces the secret of a second factor', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const [first, second] = [
      await auth.call('POST', path, { token }),
      await auth.call('POST', path, { token }),
    ].map(({ body }) => body.data.secret);
    expect(first).not.toBe(second);
    expect(await confirm(token, totpCode(first))).toMatchObject(incorrect);
    expect((await confirm(token, totpCode(second))).status).toBe(200);
  });

  test('a confirmed second factor is neither replaced nor confirmed again', async () => {
    const { token, secret } = await enrolledUser();
    expect((await auth.call('POST', path, { token })).status).toBe(409);
    expect((await confirm(token, totpCode(secret))).status).toBe(404);
  });

  test('one of two simultaneous confirmations of a second factor succeeds', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const { secret } = (await auth.call('POST', path, { token })).body.data;
    const answers = await Promise.all(
      [totpCode(secret), totpCode(secret)].map((code) => confirm(token, code)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test.each(['POST', 'DELETE'])(
    'without a factor %s with a code is 404, and without a code 422',
    async (method) => {
      const token = await auth.tokenOf(await auth.newUser());
      const target = method === 'POST' ? `${path}/confirm` : path;
      expect((await auth.call(method, target, { token, body: { code: '123456' } })).status).toBe(404);
      const answer = await auth.call(method, target, { token, body: {} });
      expect([answer.status, answer.body.errors]).toEqual([422, { code: ['The code field is required.'] }]);
    },
  );

  test('in the database, secrets of second factors are encrypted and recovery codes are hashed', async () => {
    const { secret, recoveryCodes } = await enrolledUser();
    const rows = await auth.rows(`
      SELECT encode(encrypted_secret, 'escape') AS text FROM auth.totp_factors
      UNION ALL SELECT code_hash FROM auth.recovery_codes`);
    const text = rows.map((row) => row.text).join('\n');
    for (const plain of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(text.toLowerCase()).not.toContain(plain.toLowerCase());
    expect(auth.service.log()).not.toContain(secret);
  });
});

describe('logging in with a second factor', () => {
  test('a code of the second factor logs in once', async () => {
    const { user, secret } = await enrolledUser();
    const code = nextCode(secret);
    expect(await logIn(user, wrongCode(secret))).toMatchObject(wrong);
    expect((await logIn(user, code)).status).toBe(200);
    expect(await logIn(user, code)).toMatchObject(wrong);
  });

  test('the code of the confirmation no longer logs in', async () => {
    const token = await auth.tokenOf(await auth.newUser());
    const me = (await auth.call('GET', '/api/v3/me', { token })).body.data;
    const { secret } = (await auth.call('POST', path, { token })).body.data;
    const code = totpCode(secret);
    await confirm(token, code);
    expect(await logIn(me, code)).toMatchObject(wrong);
  });

  test('one of several simultaneous logins with the same code succeeds', async () => {
    const { user, secret, recoveryCodes } = await enrolledUser();
    for (const code of [nextCode(secret), recoveryCodes[0]]) {
      const answers = await Promise.all([1, 2, 3].map(() => logIn(user, code)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
      await auth.rows("DELETE FROM auth.attempts WHERE key LIKE 'second factor %'");
    }
  });

  test('each recovery code logs in once', async () => {
    const { user, recoveryCodes } = await enrolledUser();
    const other = await enrolledUser();
    const [first = '', second = ''] = recoveryCodes;
    expect((await logIn(user, first)).status).toBe(200);
    expect(await logIn(user, first)).toMatchObject(wrong);
    expect((await logIn(user, second.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect(await logIn(user, other.recoveryCodes[0])).toMatchObject(wrong);
  });

  test.each([[undefined], [null], ['']])(
    'a login with totp %j is refused with the message that the second factor is missing',
    async (totp) => {
      const { user } = await enrolledUser();
      const answer = await logIn(user, totp);
      expect(answer).toMatchObject(missing);
      expect(answer.headers.get('second_factor')).toBe('required');
      expect(
        (await auth.logIn(user, { password: 'wrong password' })).headers.get('second_factor'),
      ).toBeNull();
    },
  );

  test('a wrong password is refused before the second factor, whose code stays unused', async () => {
    const { user, secret } = await enrolledUser();
    const code = nextCode(secret);
    expect(await auth.logIn(user, { password: 'wrong password', body: { totp: code } })).toMatchObject(wrong);
    expect((await logIn(user, code)).status).toBe(200);
  });

  test('the state of an account is revealed only after the second factor, and a refused login uses no code', async () => {
    const { user, secret } = await enrolledUser();
    const block = (isBlocked: boolean) =>
      auth.call('PATCH', `/api/v3/admin/users/${user.id}`, {
        token: auth.admin,
        body: { is_blocked: isBlocked },
      });
    await block(true);
    expect(await logIn(user)).toMatchObject(missing);
    const code = nextCode(secret);
    expect(await logIn(user, code)).toMatchObject(refused('Blocked User'));
    await block(false);
    expect((await logIn(user, code)).status).toBe(200);
  });

  test('five wrong codes block even correct codes, but do not affect other accounts', async () => {
    const [{ user, secret }, other] = [await enrolledUser(), await enrolledUser()];
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await logIn(user, wrongCode(secret))).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    const limited = await logIn(user, nextCode(secret));
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await logIn(other.user, nextCode(other.secret))).status).toBe(200);
  });

  test('a login with a one-time code also needs the second factor', async () => {
    const { user, secret } = await enrolledUser();
    await auth.call('POST', '/api/v3/login/otp', { body: { email: user.email } });
    const codeOf = () => new RegExp(`"to":"${user.email}","code":"(\\d{6})"`).exec(auth.service.log())?.[1];
    await waitFor(() => codeOf() !== undefined);
    const verify = (totp?: string) =>
      auth.call('POST', '/api/v3/login/otp/verify', { body: { email: user.email, code: codeOf(), totp } });
    expect(await verify()).toMatchObject(missing);
    expect(await verify(wrongCode(secret))).toMatchObject(wrong);
    expect((await verify(nextCode(secret))).status).toBe(200);
    expect(await verify(nextCode(secret))).toMatchObject(wrong);
  });

  test('the field totp is ignored for an account without a second factor', async () => {
    expect((await logIn(await auth.newUser(), '123456')).status).toBe(200);
  });
});

describe('disabling a second factor', () => {
  test.each(['code', 'recovery code'])('a %s disables the second factor', async (kind) => {
    const { user, token, secret, recoveryCodes } = await enrolledUser();
    expect(await remove(token, wrongCode(secret) ?? '')).toMatchObject(incorrect);
    expect(await logIn(user)).toMatchObject(missing);
    const proof = kind === 'code' ? nextCode(secret) : (recoveryCodes[3] ?? '');
    expect((await remove(token, proof)).status).toBe(204);
    expect((await logIn(user)).status).toBe(200);
    const rows = await auth.rows('SELECT FROM auth.recovery_codes WHERE user_id = $1', user.id);
    expect(rows).toEqual([]);
    expect((await auth.call('POST', path, { token })).status).toBe(201);
  });

  test('five wrong codes block disabling a second factor, but not logins', async () => {
    const { user, token, secret } = await enrolledUser();
    const statuses = [];
    for (let i = 0; i < 6; i += 1) statuses.push((await remove(token, wrongCode(secret) ?? '')).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    expect((await logIn(user, nextCode(secret))).status).toBe(200);
  });

  test('deleting an account deletes its second factor', async () => {
    const { user } = await enrolledUser();
    await auth.call('DELETE', `/api/v3/admin/users/${user.id}`, { token: auth.admin });
    expect(await auth.rows('SELECT FROM auth.totp_factors WHERE user_id = $1', user.id)).toEqual([]);
  });
});

test.each([
  ['POST', path],
  ['POST', `${path}/confirm`],
  ['DELETE', path],
  ['POST', '/api/v3/reauthenticate'],
])('%s %s without a token is refused', async (method, target) => {
  expect(await auth.call(method, target, { body: { code: '123456' } })).toMatchObject(
    refused('UnauthorizedRequest'),
  );
});
