import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { totpCode } from '@gradeway/test/totpCode';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, inject, test } from 'vitest';
import { createFixtures } from './gradingScene.ts';
import { logIn, openWindow } from './openWindow.ts';

const newInstructor = () => createFixtures().newAccount({ role: 'instructor', first_name: 'Emmy' });

/** Reads the code from the log, where auth writes it because there is no mail server. */
const codeFor = (email: string): Promise<string> =>
  waitFor(async () => {
    const log = await readFile(join(inject('dataDirectory'), 'logs/auth.log'), 'utf8');
    const entry = log.split('\n').findLast((line) => line.includes(email) && line.includes('"code"'));
    return entry && JSON.parse(entry).code;
  });

test('the requested page opens after login', async () => {
  const window = await openWindow();
  await logIn(window, await newInstructor(), '/grading?from=a-link');
  await window.page.getByRole('heading', { name: 'Grading', level: 1 }).waitFor();
  expect(new URL(window.page.url()).pathname).toBe('/grading');
});

test('a wrong password is rejected with a message, and the correct one then opens the application', async () => {
  const { page, watch } = await openWindow();
  watch.expectFailure(401, /^\/session$/);
  const { email, password } = await newInstructor();
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email or mobile number' }).fill(email);
  await page.getByLabel('Password').fill('another password');
  await page.getByRole('button', { name: 'Log in' }).click();
  const alert = page.getByRole('alert');
  await expect.poll(() => alert.textContent()).toBe('These credentials do not match our records.');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Courses', level: 1 }).waitFor();
});

test('a one-time code logs in without a password', async () => {
  const { page } = await openWindow();
  const { email } = await newInstructor();
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email or mobile number' }).fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByRole('textbox', { name: 'Code' }).fill(await codeFor(email));
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Courses', level: 1 }).waitFor();
});

test('the field for the code is labelled "Code" and never shows the password', async () => {
  const { page } = await openWindow();
  const { email, password } = await newInstructor();
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email or mobile number', exact: true }).fill(email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Send me a code', exact: true }).click();
  const code = page.getByRole('textbox', { name: 'Code', exact: true });
  await code.waitFor();
  expect(await code.inputValue()).toBe('');
  await page.getByRole('button', { name: 'Use a password' }).click();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Courses', level: 1 }).waitFor();
});

test('an account with a second factor must also enter it after a one-time code', async () => {
  const { page, watch } = await openWindow();
  watch.expectFailure(401, /^\/session$/);
  const grader = await createFixtures().newStudent({ role: 'instructor', first_name: 'Emmy' });
  const { secret } = (await grader.post('/api/v3/mfa/totp')).body.data;
  await grader.post('/api/v3/mfa/totp/confirm', { code: totpCode(secret) });
  await page.goto('/login');
  await page.getByRole('textbox', { name: 'Email or mobile number' }).fill(grader.email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByRole('textbox', { name: 'Code' }).fill(await codeFor(grader.email));
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('textbox', { name: 'Second factor' }).fill(totpCode(secret, 1));
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { name: 'Courses', level: 1 }).waitFor();
});
