import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { waitFor } from '@gradeway/test/waitFor';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, type AuthService, password, startAuthService } from './authService.ts';

interface Mail {
  to: string[];
  text: string;
}

let mails: Mail[];
let server: SMTPServer;
let auth: AuthService;
let withoutMail: AuthService;
beforeAll(async () => {
  mails = [];
  server = await startMailServer(mails);
  const { port } = server.server.address() as AddressInfo;
  [auth, withoutMail] = await Promise.all([
    startAuthService({
      SMTP_URL: `smtp://school:secret@127.0.0.1:${port}`,
      MAIL_FROM: 'School <school@school.example>',
      LOGIN_LIMIT_PER_ACCOUNT: '0',
    }),
    startAuthService(),
  ]);
});
afterAll(async () => {
  await Promise.all([auth.close(), withoutMail.close()]);
  await new Promise<void>((resolve) => {
    server.close(resolve);
  });
});

const sent = { status: true, message: 'If the account exists, a code has been sent.' };
const refused = {
  status: 401,
  body: { message: 'These credentials do not match our records.', errors: null },
};

const request = (email: string) => auth.call('POST', '/api/v3/login/otp', { body: { email } });
const verify = (email: string, code: string, headers = {}) =>
  auth.call('POST', '/api/v3/login/otp/verify', { body: { email, code }, headers });
const mailsTo = ({ email }: { email: string }) => mails.filter(({ to }) => to.includes(email));

/** Requests a code and reads it from the mail. */
async function codeOf(account: Account, identifier = account.email): Promise<string> {
  const before = mailsTo(account).length;
  expect(await request(identifier)).toMatchObject({ status: 200, body: sent });
  await waitFor(() => mailsTo(account).length > before);
  return /\b\d{6}\b/.exec(mailsTo(account).at(-1)?.text ?? '')?.[0] ?? '';
}

const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

describe('a one-time code (D16)', () => {
  test('a code is mailed to the owner of the account and logs in with change_password true', async () => {
    const user = await auth.newUser();
    const code = await codeOf(user, user.email.toUpperCase());
    const { status, body } = await verify(user.email, code);
    expect(status).toBe(200);
    expect(Object.keys(body)).toHaveLength(14);
    expect(body).toMatchObject({ token_type: 'Bearer', data: user.id, change_password: true });
    expect(mailsTo(user).at(-1)?.text).toMatch(/^From: School <school@school\.example>/m);
  });

  test('a code can be requested with the mobile number', async () => {
    const user = await auth.newUser();
    const number = user.mobile.replace('+43', '+43 ');
    const code = await codeOf(user, number);
    expect((await verify(user.mobile, code)).status).toBe(200);
  });

  test('a code is valid for one login, even if two are simultaneous', async () => {
    const user = await auth.newUser();
    const code = await codeOf(user);
    const answers = await Promise.all([verify(user.email, code), verify(user.email, code)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect(await verify(user.email, code)).toMatchObject(refused);
  });

  test('a code is refused after five wrong attempts and after ten minutes (D38)', async () => {
    const user = await auth.newUser();
    const code = await codeOf(user);
    for (let i = 0; i < 4; i += 1) expect(await verify(user.email, otherThan(code))).toMatchObject(refused);
    expect((await verify(user.email, code)).status).toBe(200);

    const second = await codeOf(user);
    await Promise.all(Array.from({ length: 5 }, () => verify(user.email, otherThan(second))));
    expect(await verify(user.email, second)).toMatchObject(refused);

    const third = await codeOf(user);
    await auth.rows('UPDATE auth.login_codes SET expires_at = now() WHERE user_id = $1', user.id);
    expect(await verify(user.email, third)).toMatchObject(refused);
  });

  test('a new code replaces the earlier one', async () => {
    const user = await auth.newUser();
    const first = await codeOf(user);
    const second = await codeOf(user);
    if (first !== second) expect(await verify(user.email, first)).toMatchObject(refused);
    expect((await verify(user.email, second)).status).toBe(200);
  });

  test('a code does not log in to another account', async () => {
    const [user, other] = [await auth.newUser(), await auth.newUser()];
    const code = await codeOf(user);
    expect(await verify(other.email, code)).toMatchObject(refused);
  });

  test('a code does not bypass the checks of the account and the device', async () => {
    const user = await auth.newUser();
    await auth.logIn(user, { body: { device_token: 'lost' } });
    await auth.rows('UPDATE auth.devices SET is_disabled = true WHERE user_id = $1', user.id);
    const code = await codeOf(user);
    expect((await verify(user.email, code, { device_token: 'lost' })).body.message).toBe(
      'Your device has been disabled, please contact admin.',
    );
    await auth.rows("UPDATE auth.users SET role = 'parent' WHERE id = $1", user.id);
    expect((await verify(user.email, code)).body.message).toBe('Parent login not allowed.');
    await auth.rows("UPDATE auth.users SET role = 'user', is_blocked = true WHERE id = $1", user.id);
    expect((await verify(user.email, code)).body.message).toBe('Blocked User');
  });

  test('a code is invalid once the password or the address has changed', async () => {
    const user = await auth.newUser();
    const token = await auth.tokenOf(user);
    const code = await codeOf(user);
    await auth.call('PUT', '/api/v3/password', {
      token,
      body: { password: 'another password', current_password: password },
    });
    expect(await verify(user.email, code)).toMatchObject(refused);

    const second = await codeOf(user);
    const body = { email: `new-${user.email}` };
    await auth.call('PATCH', `/api/v3/admin/users/${user.id}`, { token: auth.admin, body });
    for (const email of [user.email, body.email]) expect(await verify(email, second)).toMatchObject(refused);
  });

  test('a code is mailed at most five times in 15 minutes, and the response stays the same', async () => {
    const user = await auth.newUser();
    for (let i = 0; i < 5; i += 1) await codeOf(user);
    expect(await request(user.email)).toMatchObject({ status: 200, body: sent });
    // A sixth email would have been sent before the email for a later request.
    await codeOf(await auth.newUser());
    expect(mailsTo(user)).toHaveLength(5);
  });
});

describe('a session opened with a code', () => {
  test('the first password change does not need the current password, the next one does', async () => {
    const user = await auth.newUser();
    const { body } = await verify(user.email, await codeOf(user));
    const change = (values: object) =>
      auth.call('PUT', '/api/v3/password', { token: body.access_token, body: values });
    expect((await change({ password: 'a password of my own' })).status).toBe(200);
    expect((await auth.logIn(user, { password: 'a password of my own' })).body.change_password).toBe(false);
    expect((await change({ password: 'yet another one' })).body.errors).toEqual({
      current_password: ['The current password field is required.'],
    });
  });

  test('the first password change does not need the current password after a refresh either', async () => {
    const user = await auth.newUser();
    const { body } = await verify(user.email, await codeOf(user));
    const refreshed = await auth.call('POST', '/api/v3/token/refresh', { token: body.access_token });
    const answer = await auth.call('PUT', '/api/v3/password', {
      token: refreshed.body.access_token,
      body: { password: 'a password of my own' },
    });
    expect(answer.status).toBe(200);
  });
});

test('an unknown account gets the same responses as an existing one, but no mail', async () => {
  const before = mails.length;
  expect(await request('unknown@school.example')).toMatchObject({ status: 200, body: sent });
  await waitFor(
    async () => (await auth.rows('SELECT 1 FROM auth.login_codes WHERE user_id IS NULL')).length === 1,
  );
  expect(await verify('unknown@school.example', '123456')).toMatchObject(refused);
  expect(await verify('unrequested@school.example', '123456')).toMatchObject(refused);
  expect(mails).toHaveLength(before);
});

test.each([
  ['/api/v3/login/otp', {}, 'The email field is required.'],
  ['/api/v3/login/otp', { email: [] }, 'The email must be a string.'],
  ['/api/v3/login/otp/verify', {}, 'The email field is required.'],
  ['/api/v3/login/otp/verify', { email: 'a@b.example' }, 'The code field is required.'],
  ['/api/v3/login/otp/verify', { email: 'a@b.example', code: 123456 }, 'The code must be a string.'],
])('%s returns only a message for invalid input: %j', async (path, body, message) => {
  const answer = await auth.call('POST', path, { body });
  expect({ status: answer.status, body: answer.body }).toEqual({ status: 422, body: { message } });
});

test('the response does not wait for a mail server that hangs', async () => {
  const connections = new Set<Socket>();
  const silentServer = createServer((connection) => connections.add(connection));
  await once(silentServer.listen(0, '127.0.0.1'), 'listening');
  const { port } = silentServer.address() as AddressInfo;
  const hanging = await startAuthService({ SMTP_URL: `smtp://127.0.0.1:${port}` });
  const user = await hanging.newUser();
  const answer = await hanging.call('POST', '/api/v3/login/otp', { body: { email: user.email } });
  expect(answer).toMatchObject({ status: 200, body: sent });
  await waitFor(() => connections.size > 0);
  expect(hanging.service.log()).not.toContain('background task failed');
  hanging.service.kill('SIGKILL');
  await hanging.close();
  for (const connection of connections) connection.destroy();
  silentServer.close();
});

test('without a mail server the code is logged, even for accounts with only a mobile number', async () => {
  for (const change of [{}, { email: null }]) {
    const user = await withoutMail.newUser(change);
    const email = user.email ?? user.mobile;
    await withoutMail.call('POST', '/api/v3/login/otp', { body: { email } });
    const line = () =>
      withoutMail.service
        .log()
        .split('\n')
        .find((each) => each.includes(email) && each.includes('"code"'));
    await waitFor(line);
    const { code } = JSON.parse(line() ?? '{}') as { code: string };
    const answer = await withoutMail.call('POST', '/api/v3/login/otp/verify', { body: { email, code } });
    expect(answer.status).toBe(200);
  }
});

async function startMailServer(received: Mail[]): Promise<SMTPServer> {
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password: given }, _session, callback) {
      if (username === 'school' && given === 'secret') callback(null, { user: username });
      else callback(new Error('wrong credentials'));
    },
    onData(stream, session, callback) {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      text(stream)
        .then((content) => received.push({ to, text: content }))
        .then(() => callback(), callback);
    },
  });
  smtp.on('error', () => {});
  await new Promise<void>((resolve) => {
    smtp.listen(0, '127.0.0.1', resolve);
  });
  return smtp;
}
