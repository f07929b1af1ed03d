import { unique } from '@gradeway/test/fixtures';
import { totpCode } from '@gradeway/test/totpCode';
import { expect, test } from 'vitest';
import { createFixtures } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { violations } from './violations.ts';

const fixtures = createFixtures();

test('ending the session of another device keeps this one', async () => {
  const student = await fixtures.newStudent();
  const { page } = await openAs(student, '/my');
  const device = { device_type: 'app', 'device-name': 'Phone', device_token: unique() };
  const phone = await fixtures.logIn(student.email, student.password, device);
  await page.locator('.user-button').click();
  await page.getByRole('menuitem', { name: 'Account' }).click();
  const sessions = page.getByRole('list', { name: 'Sessions' });
  await sessions.getByText('This session').waitFor();
  await sessions.getByRole('button', { name: /^End session \d+: Phone$/ }).click();
  await expect.poll(() => sessions.getByText('Phone').count()).toBe(0);
  const client = fixtures.callAs(phone.body.access_token);
  await expect.poll(async () => (await client.get('/api/v3/me')).status).toBe(401);
  await page.reload();
  await sessions.getByText('This session').waitFor();
});

test('changing the password requires the current one', async () => {
  const student = await fixtures.newStudent();
  const { page, watch } = await openAs(student, '/account');
  watch.expectFailure(422, /\/password$/);
  const form = page.getByRole('form', { name: 'Password' });
  await form.getByLabel('Current password').fill('not this one');
  await form.getByLabel('New password').fill(`another ${student.password}`);
  await form.getByRole('button', { name: 'Change the password' }).click();
  await form.getByText('The current password is incorrect.').waitFor();
  await form.getByLabel('Current password').fill(student.password);
  await form.getByRole('button', { name: 'Change the password' }).click();
  await form.getByText('Changed. Your other sessions have ended.').waitFor();
  expect((await fixtures.logIn(student.email, `another ${student.password}`)).status).toBe(200);
});

test('a second factor is set up and turned off, and the language is chosen', async () => {
  const student = await fixtures.newStudent();
  const { page } = await openAs(student, '/account');
  await page.getByRole('button', { name: 'Set up a second factor' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set up a second factor' });
  const secret = (await dialog.locator('code').textContent())?.replaceAll(' ', '') ?? '';
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(totpCode(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' });
  const code = (await codes.getByRole('listitem').first().textContent()) ?? '';
  await codes.getByRole('button', { name: 'I have saved them' }).click();
  await page.getByRole('button', { name: 'Turn off the second factor' }).click();
  await page.getByRole('textbox', { name: 'Code' }).fill(code);
  await page.getByRole('button', { name: 'Turn off', exact: true }).click();
  await page.getByRole('button', { name: 'Set up a second factor' }).waitFor();
  await page.getByLabel('Language', { exact: true }).selectOption('ar');
  await expect.poll(() => page.evaluate(() => document.documentElement.dir)).toBe('rtl');
});

test('after login, everything that a screen reader announces has a name', async () => {
  const student = await fixtures.newStudent();
  const { page } = await openAs(student, '/my');
  expect(await violations(page)).toEqual([]);
  expect(await page.locator('[role=img]:not([aria-label])').count()).toBe(0);
});
