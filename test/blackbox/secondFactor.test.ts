import { totpCode } from '@gradeway/test/totpCode';
import { describe, expect, test } from 'vitest';
import { callAs, logIn, newAccount } from './fixtures.ts';

describe('a second factor (RFC 6238)', () => {
  test('a user enables a second factor, logs in with a code, and disables it', async () => {
    const account = await newAccount();
    const user = callAs((await logIn(account.email, account.password)).body.access_token);
    await user.post('/api/v3/reauthenticate', { password: account.password });
    const { status, body } = await user.post('/api/v3/mfa/totp');
    expect(status).toBe(201);
    const isEnabled = async () => (await user.get('/api/v3/me')).body.data.has_second_factor;
    expect(await isEnabled()).toBe(false);
    const { secret } = body.data;
    const confirmed = await user.post('/api/v3/mfa/totp/confirm', { code: totpCode(secret) });
    expect(confirmed.status).toBe(200);
    expect(confirmed.body.data.recovery_codes).toHaveLength(10);
    expect(await isEnabled()).toBe(true);

    const { email, password } = account;
    const attempt = (totp?: string) => callAs().post('/api/v3/login', { email, password, totp });
    const without = await attempt();
    expect([without.status, without.body.message]).toEqual([401, 'A second factor is required.']);
    const code = totpCode(secret, 1);
    expect((await attempt(code)).status).toBe(200);
    const again = await attempt(code);
    expect([again.status, again.body.message]).toEqual([401, 'These credentials do not match our records.']);

    const [recoveryCode, other] = confirmed.body.data.recovery_codes;
    expect((await attempt(recoveryCode)).status).toBe(200);
    expect((await user.request('DELETE', '/api/v3/mfa/totp', { body: { code: other } })).status).toBe(204);
    expect((await attempt()).status).toBe(200);
    expect(await isEnabled()).toBe(false);
  });

  test('a session re-authenticates with the password of its account', async () => {
    const account = await newAccount();
    const user = callAs((await logIn(account.email, account.password)).body.access_token);
    const wrong = await user.post('/api/v3/reauthenticate', { password: 'wrong password' });
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['password']]);
    const answer = await user.post('/api/v3/reauthenticate', { password: account.password });
    expect(answer).toMatchObject({ status: 200, body: { status: true, message: expect.any(String) } });
  });
});
