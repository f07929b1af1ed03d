import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AuthService, password, startAuthService } from './authService.ts';

let auth: AuthService;
beforeAll(async () => {
  auth = await startAuthService();
});
afterAll(() => auth.close());

const unauthorized = { status: 401, body: { message: 'UnauthorizedRequest', errors: null } };
const change = (token: string, body: unknown) => auth.call('PUT', '/api/v3/password', { token, body });
const me = (token: string) => auth.call('GET', '/api/v3/me', { token });
const invalid = (errors: Record<string, string[]>) => ({
  status: 422,
  body: { message: 'Invalid Data', errors },
});

test('a password change takes effect and ends every other session', async () => {
  const user = await auth.newUser();
  const [token, other] = [await auth.tokenOf(user), await auth.tokenOf(user)];
  const answer = await change(token, { password: 'another password', current_password: password });
  expect(answer).toMatchObject({ status: 200, body: { status: true, message: expect.any(String) } });
  expect((await me(token)).status).toBe(200);
  expect(await me(other)).toMatchObject(unauthorized);
  expect(await auth.call('POST', '/api/v3/token/refresh', { token: other })).toMatchObject(unauthorized);
  expect((await auth.logIn(user)).status).toBe(401);
  expect((await auth.logIn(user, { password: 'another password' })).status).toBe(200);
});

test('the current password is required and must be correct (D38)', async () => {
  const token = await auth.tokenOf(await auth.newUser());
  expect(await change(token, { password: 'another password' })).toMatchObject(
    invalid({ current_password: ['The current password field is required.'] }),
  );
  expect(await change(token, { password: 'another password', current_password: 'wrong' })).toMatchObject(
    invalid({ current_password: ['The current password is incorrect.'] }),
  );
});

test.each([
  ['a missing one', {}, 'The password field is required.'],
  ['an empty one', { password: '' }, 'The password field is required.'],
  ['one of seven characters', { password: '1234567' }, 'The password must be at least 8 characters.'],
  ['one of seven emoji', { password: '🎓'.repeat(7) }, 'The password must be at least 8 characters.'],
  [
    'one of 129 characters',
    { password: 'x'.repeat(129) },
    'The password may not be greater than 128 characters.',
  ],
  ['a common one', { password: 'qwertyuiop' }, 'The password is too common.'],
  ['a common one in full-width letters', { password: 'ｐａｓｓｗｏｒｄ' }, 'The password is too common.'],
  ['a number', { password: 12345678 }, 'The password must be a string.'],
  ['one with a NUL character', { password: '12345678\0' }, 'The password contains invalid characters.'],
])('an invalid new password is refused: %s', async (_, body, message) => {
  const token = await auth.tokenOf(await auth.newUser());
  expect(await change(token, { ...body, current_password: password })).toMatchObject(
    invalid({ password: [message] }),
  );
});

test('only an exact match with a common password is too common', async () => {
  const user = await auth.newUser({ password: 'QwertyuioP' });
  const token = await auth.tokenOf(user, { password: 'QwertyuioP' });
  const answer = await change(token, { password: 'password1 ', current_password: 'QwertyuioP' });
  expect(answer.status).toBe(200);
});

test('an administrator cannot set a common password', async () => {
  const { id } = await auth.newUser();
  const path = `/api/v3/admin/users/${id}`;
  const answer = await auth.call('PATCH', path, { token: auth.admin, body: { password: 'sunshine' } });
  expect(answer).toMatchObject(invalid({ password: ['The password is too common.'] }));
});

test('a password of the maximum length works', async () => {
  const user = await auth.newUser({ password: '🎓'.repeat(128) });
  expect((await auth.logIn(user, { password: '🎓'.repeat(128) })).status).toBe(200);
});

test('ten wrong current passwords block further attempts, but not logins', async () => {
  const user = await auth.newUser();
  const token = await auth.tokenOf(user);
  const guess = (current_password: string) =>
    change(token, { password: 'another password', current_password });
  const statuses = [];
  for (let i = 0; i < 11; i += 1) statuses.push((await guess('wrong')).status);
  expect(statuses).toEqual([...Array(10).fill(422), 429]);
  expect((await guess(password)).status).toBe(429);
  expect((await auth.logIn(user)).status).toBe(200);
});

test('one of two simultaneous changes takes effect', async () => {
  const user = await auth.newUser();
  const token = await auth.tokenOf(user);
  const wanted = ['first new password', 'second new password'];
  const answers = await Promise.all(
    wanted.map((each) => change(token, { password: each, current_password: password })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  const logins = await Promise.all(wanted.map((each) => auth.logIn(user, { password: each })));
  expect(logins.map(({ status }) => status)).toEqual(
    answers.map(({ status }) => (status === 200 ? 200 : 401)),
  );
});

test('a password change without a token is refused', async () => {
  expect(
    await auth.call('PUT', '/api/v3/password', { body: { password: 'another password' } }),
  ).toMatchObject(unauthorized);
});
