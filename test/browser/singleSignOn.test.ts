import { Fixtures, unique } from '@gradeway/test/fixtures';
import { type SystemWithProvider, startSystemWithProvider } from '@gradeway/test/systemWithProvider';
import { totpCode } from '@gradeway/test/totpCode';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Look, logIn, openWindow } from './openWindow.ts';

let running: SystemWithProvider;
let fixtures: Fixtures;
beforeAll(async () => {
  running = await startSystemWithProvider({ domains: ['school.example'], create: false, end_session: true });
  fixtures = new Fixtures(running.system);
});
afterAll(() => running?.close());

const personOf = (sub: string, email: string) => ({ sub, email, email_verified: true, name: sub });

async function open(look: Look = {}) {
  const { system, provider } = running;
  const window = await openWindow({ baseUrl: system.baseUrl, ...look });
  window.watch.allowHost(new URL(provider.issuer).host);
  return window;
}

test('a person signs in at the provider, stays logged in after a reload, and logs out there too', async () => {
  const { page } = await open();
  const { email } = await fixtures.newStudent({ first_name: 'Emmy', email: `${unique()}@school.example` });
  running.provider.people = [personOf('ada', email)];
  await page.goto('/my/grades');
  await page.getByRole('link', { name: 'Sign in with School' }).click();
  await page.getByRole('button', { name: 'ada' }).click();
  await page.getByRole('heading', { name: 'Grades', level: 1 }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/my/grades');
  await page.reload();
  await page.getByRole('heading', { name: 'Grades', level: 1 }).waitFor();

  await page.getByRole('banner').getByRole('button', { name: /^Emmy/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL((url) => url.origin === running.provider.issuer);
  await page.getByRole('button', { name: /yes/i }).click();
  await page.getByRole('link', { name: 'Sign in with School' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/login');
});

test.each([
  ['en', 'Sign in with School', 'No account belongs to this sign-in. Ask your school.'],
  ['ar', 'تسجيل الدخول عبر School', 'لا حساب مرتبط بهذا الدخول. راجع مدرستك.'],
] as const)('a sign-in without an account ends with a message (%s)', async (language, link, message) => {
  const { page } = await open({ language });
  running.provider.people = [personOf('nobody', 'nobody@school.example')];
  await page.goto('/login');
  await page.getByRole('link', { name: link }).click();
  await page.getByRole('button', { name: 'nobody' }).click();
  await expect.poll(() => page.getByRole('alert').textContent()).toBe(message);
});

test('an administrator links an identity while logged in, and later signs in with it and the second factor', async () => {
  const admin = await fixtures.newStudent({ role: 'admin' });
  const window = await open();
  const { page } = window;
  running.provider.people = [personOf('grace', 'grace@elsewhere.example')];
  await logIn(window, admin, '/account');
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  await page.evaluate(() => location.assign('/session/sso/school?link=1&next=/account'));
  await page.getByRole('button', { name: 'grace' }).click();
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  const { data } = (await admin.get('/api/v3/me/identities')).body;
  expect(data).toMatchObject([{ provider: 'school', subject: 'grace', email: 'grace@elsewhere.example' }]);

  const { secret } = (await admin.post('/api/v3/mfa/totp')).body.data;
  await admin.post('/api/v3/mfa/totp/confirm', { code: totpCode(secret) });
  const { page: other, watch } = await open();
  watch.expectFailure(401, /^\/session\/sso$/);
  await other.goto('/login?next=/console');
  await other.getByRole('link', { name: 'Sign in with School' }).click();
  await other.getByRole('button', { name: 'grace' }).click();
  await other.getByRole('textbox', { name: 'Second factor' }).fill('000000');
  await other.getByRole('button', { name: 'Continue' }).click();
  await other.getByText('These credentials do not match our records.').waitFor();
  await other.getByRole('textbox', { name: 'Second factor' }).fill(totpCode(secret, 1));
  await other.getByRole('button', { name: 'Continue' }).click();
  await other.waitForURL('**/console');
});
