import { Fixtures, unique } from '@gradeway/test/fixtures';
import { type SystemWithProvider, startSystemWithProvider } from '@gradeway/test/systemWithProvider';
import { totpCode } from '@gradeway/test/totpCode';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Look, logIn, openWindow, tokenOf } from './openWindow.ts';

let running: SystemWithProvider;
let fixtures: Fixtures;
beforeAll(async () => {
  running = await startSystemWithProvider(
    { domains: ['school.example'], create: false, end_session: true },
    { REAUTHENTICATION: 'required' },
  );
  fixtures = new Fixtures(running.system);
});
afterAll(() => running?.close());

const personOf = (sub: string, email: string) => ({ sub, email, email_verified: true, name: sub });

const passwordDialog = (page: Page) => page.getByRole('dialog', { name: 'Enter your password again' });

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

test('a person without a password confirms a change at the provider, which asks for the credentials again', async () => {
  const { page, watch } = await open();
  watch.expectFailure(403, /^\/api\/v3\/me\/identities\/\d+$/);
  const student = await fixtures.newStudent({ email: `${unique()}@school.example` });
  running.provider.people = [personOf('mary', student.email)];
  await page.goto('/account');
  await page.getByRole('link', { name: 'Sign in with School' }).click();
  await page.getByRole('button', { name: 'mary' }).click();
  await page.getByRole('button', { name: 'Unlink School' }).click();
  await passwordDialog(page).getByRole('link', { name: 'Sign in with School' }).click();
  await page.getByRole('button', { name: 'mary' }).click();
  await page.waitForURL('**/account');
  await page.getByRole('button', { name: 'Unlink School' }).click();
  await page.getByRole('button', { name: 'Unlink School' }).waitFor({ state: 'detached' });
  expect((await student.get('/api/v3/me/identities')).body.data).toEqual([]);
});

test('a person whose session has ended signs in again at the provider, and returns to the page', async () => {
  const window = await open();
  const { page, watch } = window;
  const student = await fixtures.newStudent({ email: `${unique()}@school.example` });
  running.provider.people = [personOf('ida', student.email)];
  const token = tokenOf(page);
  await logIn(window, student, '/my/grades');
  await page.getByRole('heading', { name: 'Grades', level: 1 }).waitFor();
  watch.allowFailure(401, /^\/(api\/v3|session)\//);
  const program = fixtures.callAs(token());
  expect((await program.post('/api/v3/logout')).status).toBe(204);
  await expect.poll(async () => (await program.get('/api/v3/courses')).status).toBe(401);
  await page.getByRole('banner').getByRole('button', { name: /^Ada/ }).click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Log in again' });
  const link = dialog.getByRole('link', { name: 'Sign in with School' });
  await link.click();
  await page.getByRole('button', { name: 'ida' }).click();
  await page.getByRole('button', { name: 'Unlink School' }).waitFor();
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

test('an administrator links an identity after entering the password, and later signs in with it and the second factor', async () => {
  const admin = await fixtures.newStudent({ role: 'admin' });
  const window = await open();
  const { page } = window;
  window.watch.expectFailure(403, /^\/session\/sso\/school\?link=1/);
  running.provider.people = [personOf('grace', 'grace@elsewhere.example')];
  await logIn(window, admin, '/account');
  await page.getByRole('button', { name: 'Link School' }).click();
  await passwordDialog(page).getByLabel('Password').fill(admin.password);
  expect(await passwordDialog(page).getByRole('link').count()).toBe(0);
  await passwordDialog(page).getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'grace' }).click();
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  const { data } = (await admin.get('/api/v3/me/identities')).body;
  expect(data).toMatchObject([{ provider: 'school', subject: 'grace', email: 'grace@elsewhere.example' }]);

  await admin.post('/api/v3/reauthenticate', { password: admin.password });
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
