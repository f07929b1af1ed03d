import { readFile } from 'node:fs/promises';
import { Fixtures, unique } from '@gradeway/test/fixtures';
import { type LocalSystem, startLocalSystem } from '@gradeway/test/localSystem';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveOf, schoolOf } from '../../services/courses/test/oneRosterArchive.ts';
import { openAs } from './openWindow.ts';

let system: LocalSystem;
let fixtures: Fixtures;
beforeAll(async () => {
  system = await startLocalSystem({
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_ALLOW_PRIVATE_ADDRESSES: '1',
    REAUTHENTICATION: 'required',
  });
  fixtures = new Fixtures(system);
});
afterAll(() => system?.remove());

const passwordDialog = (page: Page) => page.getByRole('dialog', { name: 'Enter your password again' });

/** Opens a page of the console in a session that requires re-authentication. */
async function openConsole(path: string) {
  const admin = await fixtures.newAccount({ role: 'admin' });
  const window = await openAs(admin, `/console${path}`, { baseUrl: system.baseUrl });
  window.watch.allowFailure(403, /^\/api\/v3\/admin\//);
  const enterPassword = async () => {
    await passwordDialog(window.page).getByLabel('Password').fill(admin.password);
    await window.page.keyboard.press('Enter');
  };
  return { ...window, admin, enterPassword };
}

async function download(page: Page, enterPassword: () => Promise<void>): Promise<string> {
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  await enterPassword();
  return readFile(await (await downloaded).path(), 'utf8');
}

test('a wrong password is rejected, and the correct one continues the request', async () => {
  const { page, watch, enterPassword } = await openConsole('/users');
  const email = `${unique()}@school.example`;
  await page.getByRole('button', { name: 'New user' }).click();
  const dialog = page.getByRole('dialog', { name: 'New user' });
  await dialog.getByRole('textbox', { name: 'First name' }).fill('Suharto');
  await dialog.getByRole('textbox', { name: 'Email', exact: true }).fill(email);
  await dialog.getByLabel('Password').fill(`a password ${unique()}`);
  await dialog.getByRole('button', { name: 'Create' }).click();

  watch.expectFailure(422, /\/reauthenticate$/);
  await passwordDialog(page).getByLabel('Password').fill('a wrong password');
  await passwordDialog(page).getByRole('button', { name: 'Continue' }).click();
  await page.getByText('The password is incorrect.').waitFor();
  await enterPassword();
  // A user with a single name (D56).
  await page.getByRole('heading', { name: 'Suharto', level: 1, exact: true }).waitFor();
});

test('nothing changes if the password is not entered', async () => {
  const { page } = await openConsole(`/users/${(await fixtures.newAccount()).id}`);
  await page.getByRole('button', { name: 'Delete the account' }).click();
  const dialog = page.getByRole('dialog', { name: /^Delete the account of/ });
  await dialog.getByRole('button', { name: 'Delete the account' }).click();
  await passwordDialog(page).getByRole('button', { name: 'Cancel' }).click();
  await passwordDialog(page).waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1, name: /^Ada/ }).waitFor();
});

test('the gradebook and the audit log are downloaded after the password is entered, with a byte order mark (D64)', async () => {
  const gradebook = await openConsole(`/gradebook?course=${await fixtures.newCourse()}`);
  expect(await download(gradebook.page, gradebook.enterPassword)).toMatch(/^\uFEFFstudent_id,/);
  const audit = await openConsole('/audit');
  expect(await download(audit.page, audit.enterPassword)).toMatch(/^\uFEFFid,at,/);
});

test('an archive is sent again after the password is entered', async () => {
  const { page, enterPassword } = await openConsole('/import');
  const buffer = await archiveOf(schoolOf(unique(), 2));
  await page.getByLabel('Archive').setInputFiles({ name: 'school.zip', mimeType: 'application/zip', buffer });
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await enterPassword();
  await page.getByRole('heading', { name: 'Changes in the file' }).waitFor();
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  await page.getByText(/^Imported:/).waitFor();
});

test('a webhook is created after the password is entered', async () => {
  const { page, enterPassword } = await openConsole('/webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('https://127.0.0.1:9/');
  await page.getByRole('button', { name: 'Create' }).click();
  await enterPassword();
  await page.getByRole('dialog', { name: 'The secret of the webhook' }).waitFor();
});

test("the administrator's own account page has no password field", async () => {
  const { page, admin } = await openConsole('/users');
  await page.goto(`/console/users/${admin.id}`);
  const form = page.getByRole('form', { name: 'Account' });
  await form.getByRole('textbox', { name: 'First name' }).waitFor();
  expect(await form.getByLabel('New password').count()).toBe(0);
});
