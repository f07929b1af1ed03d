import { readFile } from 'node:fs/promises';
import { unique } from '@gradeway/test/fixtures';
import { startWebhookReceiver } from '@gradeway/test/webhookReceiver';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { archiveOf, type School, schoolOf } from '../../services/courses/test/oneRosterArchive.ts';
import { clearField } from './clearField.ts';
import { createFixtures, grading, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';

const fixtures = createFixtures();
const newAdmin = () => fixtures.newAccount({ role: 'admin', first_name: 'Grace' });
const openConsole = async (path: string) => openAs(await newAdmin(), `/console${path}`);

/** Returns the texts of a table's rows, without the header row. */
async function cellsOf(page: Page, table: string): Promise<string[][]> {
  const rows = await page.getByRole('table', { name: table, exact: true }).locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allInnerTexts()));
}

describe('the import', () => {
  const chooseArchive = async (page: Page, school: Partial<School>) => {
    const buffer = await archiveOf(school);
    const archive = { name: 'school.zip', mimeType: 'application/zip', buffer };
    await page.getByLabel('Archive').setInputFiles(archive);
    await page.getByRole('button', { name: 'Preview', exact: true }).click();
    await page.getByRole('heading', { name: 'Changes in the file' }).waitFor();
  };
  const found = async (mark: string) =>
    (await (await fixtures.asAdmin()).get(`/api/v3/admin/users?search=${mark}`)).body.meta.total;

  test('an import makes exactly the changes in its preview', async () => {
    const mark = unique();
    const { page } = await openConsole('/import');
    await chooseArchive(page, schoolOf(mark, 3));
    const counts = [
      ['users.csv', '3', '0', '0', '0', '0'],
      ['courses.csv', '1', '0', '0', '0', '0'],
      ['classes.csv', '1', '0', '0', '0', '0'],
      ['enrollments.csv', '3', '0', '0', '0', '0'],
    ];
    expect(await cellsOf(page, 'Rows by file')).toEqual(counts);
    const rows = await cellsOf(page, 'Rows');
    expect(rows.map(([row, id, action]) => [row, id, action])).toEqual([
      ...[1, 2, 3].map((n) => [`users.csv, row ${n + 1}`, `${mark}-u${n}`, 'New']),
      ['courses.csv, row 2', `${mark}-c1`, 'New'],
      ['classes.csv, row 2', `${mark}-k1`, 'New'],
      ...[1, 2, 3].map((n) => [`enrollments.csv, row ${n + 1}`, `${mark}-e${n}`, 'New']),
    ]);
    expect(await found(mark)).toBe(0);

    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Imported: 8 rows have changed the school.').waitFor();
    expect(await cellsOf(page, 'Rows by file')).toEqual(counts);
    expect(await found(mark)).toBe(3);

    await page.getByRole('button', { name: 'Import another file' }).click();
    await chooseArchive(page, schoolOf(mark, 3));
    await page.getByText('The school already has all of this. Nothing would change.').waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0);
  });

  test('an import changes nothing if the school has changed since the preview, and offers a new preview', async () => {
    const mark = unique();
    const { page, watch } = await openConsole('/import');
    watch.expectFailure(409, /\/admin\/import$/);
    await chooseArchive(page, schoolOf(mark, 2));
    await fixtures.newAccount({ email: `${mark}-1@school.example` });
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: 'Nothing was imported' }).waitFor();
    expect(await found(mark)).toBe(1);

    await page.getByRole('button', { name: 'Preview again' }).click();
    await page.getByRole('heading', { name: 'Changes in the file' }).waitFor();
    expect((await cellsOf(page, 'Rows by file'))[0]).toEqual(['users.csv', '1', '1', '0', '0', '0']);
  });

  test('an import with errors lists the rows and imports nothing', async () => {
    const mark = unique();
    const school = schoolOf(mark, 2);
    Object.assign(school.users[1] ?? {}, { email: `${mark}-1@school.example` });
    const { page } = await openConsole('/import');
    await chooseArchive(page, school);
    await page.getByText('Correct the rows with errors before you import.').waitFor();
    const rows = await cellsOf(page, 'Rows');
    expect(rows.slice(0, 2).map(([row, , action]) => [row, action])).toEqual([
      ['users.csv, row 2', 'Error'],
      ['users.csv, row 3', 'Error'],
    ]);
    expect(rows[0]?.[3]).toContain(`${mark}-1@school.example is on several lines`);
    expect(await page.getByRole('button', { name: 'Import', exact: true }).count()).toBe(0);
  });
});

test('a course and a user are created, and the user is enrolled', async () => {
  const mark = unique();
  const { page, watch } = await openConsole('/courses');
  await page.getByRole('button', { name: 'New course' }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill(`Topology ${mark}`);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: `Topology ${mark}`, level: 1 }).waitFor();
  const courseAddress = page.url();

  await page.getByRole('link', { name: 'Users', exact: true }).click();
  await page.getByRole('button', { name: 'New user' }).click();
  const dialog = page.getByRole('dialog', { name: 'New user' });
  await dialog.getByRole('textbox', { name: 'First name' }).fill('Emmy');
  await dialog.getByRole('textbox', { name: 'Last name' }).fill(`N${mark}`);
  await dialog.getByRole('textbox', { name: 'Email', exact: true }).fill(`${mark}@school.example`);
  await dialog.getByLabel('Password').fill('short');
  watch.expectFailure(422, /\/admin\/users$/);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect.poll(() => dialog.getByLabel('Password').getAttribute('aria-invalid')).toBe('true');
  await dialog.getByLabel('Password').fill(`a password ${mark}`);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('heading', { name: `Emmy N${mark}`, level: 1 }).waitFor();

  await page.goto(courseAddress);
  await page.getByRole('tab', { name: 'Students' }).click();
  await page.getByRole('button', { name: 'Add a student' }).click();
  await page.getByRole('combobox', { name: 'Student' }).fill(mark);
  await page.getByRole('option', { name: `Emmy N${mark}` }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await cellsOf(page, 'Students')).map((cells) => cells.slice(0, 2)))
    .toEqual([[`Emmy N${mark}`, `${mark}@school.example`]]);
});

test('the quiz dialog shows the stored values, changes nothing unless edited, and clears the fields that the user empties', async () => {
  const courseId = await fixtures.newCourse();
  const stored = {
    total_grade_for_quiz_pdf: '12.5',
    questions_count_of_quiz_pdf: '4',
    opens_at: '2026-01-02T08:00:30Z',
    closes_at: '2099-01-02T10:00:00Z',
    duration_minutes: '45',
  };
  const title = `Quiz ${unique()}`;
  const quizId = await fixtures.newQuiz(courseId, { title, ...stored });
  const admin = await fixtures.asAdmin();
  const state = async () => (await admin.get(`/api/v3/grading/quizzes/${quizId}`)).body.data;
  const before = await state();
  const { page } = await openConsole(`/courses/${courseId}`);
  const changes: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && changes.push(request.url()));
  const dialog = page.getByRole('dialog', { name: 'Edit the quiz' });
  const open = () => page.getByRole('button', { name: `Edit ${title}` }).click();
  await open();
  const shown = async (label: string) => dialog.getByLabel(label, { exact: true }).inputValue();
  expect(await shown('Out of')).toBe('12.5');
  expect(await shown('Number of questions')).toBe('4');
  expect(await shown('Minutes for an attempt')).toBe('45');
  expect(await shown('Opens')).not.toBe('');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(changes).toEqual([]);

  await open();
  await clearField(dialog, 'Opens');
  await clearField(dialog, 'Minutes for an attempt');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await state()).toEqual({ ...before, opens_at: null, duration_minutes: null });
});

test("a failed delivery is sent again, and the webhook's secret is shown once", async () => {
  const receiver = await startWebhookReceiver();
  onTestFinished(() => receiver.close());
  receiver.answer((_req, res) => res.writeHead(500).end());
  const path = `/${unique()}`;
  const { page } = await openConsole('/webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}${path}`);
  await page
    .getByRole('checkbox', { name: 'Everything, including events added in later versions' })
    .uncheck();
  await page.getByRole('checkbox', { name: 'An instructor was removed' }).check();
  await page.getByRole('button', { name: 'Create' }).click();
  const secret = page.getByRole('dialog', { name: 'The secret of the webhook' });
  expect(await secret.locator('code').textContent()).toMatch(/^whsec_/);
  await secret.getByRole('button', { name: 'I have saved it' }).click();

  await page.getByRole('button', { name: 'Send a test message' }).click();
  await page.getByText('The receiver responded with 500').waitFor();
  receiver.answer((_req, res) => res.writeHead(204).end());
  await page.getByRole('button', { name: /^Replay delivery/ }).click();
  await expect.poll(async () => (await cellsOf(page, 'Deliveries'))[0]?.[2]).toBe('Delivered');
  const received = await receiver.waitFor(path, 2);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  await page.reload();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  expect(await page.getByText('whsec_').count()).toBe(0);
});

test('the gradebook shows the grades of a course, and its CSV file contains the same grades', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel', 'Banach'] });
  const [first] = scene.submissions;
  await scene.grader.put(`${grading}/quizzes/submissions/${first?.id}`, { grade: 7.5 }, { 'if-match': '*' });
  const csv = `/api/v3/admin/courses/${scene.courseId}/gradebook?format=csv`;
  const admin = await fixtures.asAdmin();
  await expect.poll(async () => String((await admin.get(csv)).body)).toContain('7.5');

  const { page } = await openConsole(`/gradebook?course=${scene.courseId}`);
  await page.getByRole('columnheader', { name: scene.title }).waitFor();
  const rows = await cellsOf(page, 'Gradebook');
  expect(rows.map(([name, grade]) => [name?.split('\n')[0], grade])).toEqual([
    ['Ada Abel', '7.5 / 10'],
    ['Ada Banach', '–'],
  ]);
  // On paper, nothing is hidden in a scrollable area.
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.grade-scroll').evaluate((each) => getComputedStyle(each).overflow)).toBe(
    'visible',
  );
  await page.emulateMedia({ media: 'screen' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download as CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`gradebook-${scene.courseId}.csv`);
  // Excel recognizes UTF-8 by the byte order mark.
  expect(await readFile(await download.path(), 'utf8')).toBe(`\uFEFF${(await admin.get(csv)).body}`);
});

test('filters are stored in the URL and survive a reload', async () => {
  const mark = unique();
  const { email } = await fixtures.newAccount({ last_name: mark, role: 'instructor' });
  const { page } = await openConsole('/users');
  await page.getByRole('searchbox', { name: 'Search' }).fill(mark);
  await expect
    .poll(async () => (await cellsOf(page, 'Users')).map((cells) => cells.slice(0, 3)))
    .toEqual([[`Ada ${mark}`, email, 'Instructor']]);
  await page.getByRole('combobox', { name: 'Role' }).selectOption('Student');
  await page.getByRole('heading', { name: 'No one found' }).waitFor();
  expect(new URL(page.url()).search).toBe(`?search=${mark}&role=user`);
  await page.reload();
  await page.getByRole('heading', { name: 'No one found' }).waitFor();
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe(mark);
});

test('before an account is deleted, a dialog names the data that will be lost', async () => {
  const { id, firstName, lastName } = await fixtures.newAccount();
  const { page } = await openConsole(`/users/${id}`);
  const name = `${firstName} ${lastName}`;
  await page.getByRole('button', { name: 'Delete the account' }).click();
  const dialog = page.getByRole('dialog', { name: `Delete the account of ${name}?` });
  await dialog.getByText('The account, its sessions and its devices are deleted.').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const admin = await fixtures.asAdmin();
  expect((await admin.get(`/api/v3/admin/users/${id}`)).status).toBe(200);
  await page.getByRole('button', { name: 'Delete the account' }).click();
  await dialog.getByRole('button', { name: 'Delete the account' }).click();
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
  expect((await admin.get(`/api/v3/admin/users/${id}`)).status).toBe(404);
});

test('on a phone, the filters of the audit log are collapsed until one is set', async () => {
  const admin = await newAdmin();
  const { page } = await openAs(admin, '/console/audit', { width: 360 });
  await page.getByRole('table', { name: 'Audit log' }).waitFor();
  const filters = page.getByRole('form', { name: 'Filters' });
  expect(await filters.isVisible()).toBe(false);
  await page.getByText('Filters', { exact: true }).click();
  await filters.getByLabel('Object').selectOption('user');
  await page.waitForURL(/type=user/);
  expect(await filters.isVisible()).toBe(true);
  await page.reload();
  await filters.waitFor();
  await page.setViewportSize({ width: 1_440, height: 900 });
  await expect.poll(() => page.locator('summary').count()).toBe(0);
  await filters.waitFor();
});

test('only administrators can open the console', async () => {
  const instructor = await fixtures.newAccount({ role: 'instructor' });
  const { page } = await openAs(instructor, '/console/users');
  await page.getByRole('heading', { name: 'This page is not for your account' }).waitFor();
  expect(await page.getByRole('link', { name: 'Console' }).count()).toBe(0);
});
