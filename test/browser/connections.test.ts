import { unique } from '@gradeway/test/fixtures';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { newCourseScene, newQuiz } from './courseScene.ts';
import { createFixtures, grading, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { violations } from './violations.ts';

const fixtures = createFixtures();

/** Returns the secret of the open dialog, and closes it. */
async function takeSecret(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title });
  const secret = (await dialog.locator('code').textContent()) ?? '';
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'I have saved it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return secret;
}

const csv = (text: string) => ({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });

describe('tokens for programs', () => {
  test('a person creates a token that does what it permits, and ends it', async () => {
    const student = await fixtures.newStudent();
    const { page } = await openAs(student, '/account');
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByRole('textbox', { name: 'What it is for' }).fill('My calendar script');
    await dialog.getByRole('checkbox', { name: 'Read courses and classes' }).check();
    expect(await dialog.getByRole('checkbox', { name: 'Read the audit log' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Create' }).click();
    const program = fixtures.callAs(await takeSecret(page, 'Your token'));
    expect((await program.get('/api/v3/courses')).status).toBe(200);
    expect((await program.get('/api/v3/grades')).status).toBe(403);
    const tokens = page.getByRole('list', { name: 'Tokens for programs' });
    await tokens.getByText('courses:read').waitFor();
    await tokens.getByRole('button', { name: 'End the token My calendar script' }).click();
    await expect.poll(() => tokens.getByRole('listitem').count()).toBe(0);
    await expect.poll(async () => (await program.get('/api/v3/courses')).status).toBe(401);
  });

  test('every permission that the role allows is offered, and no other', async () => {
    const teacher = await fixtures.newStudent({ role: 'instructor' });
    const { page } = await openAs(teacher, '/account');
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByRole('textbox', { name: 'What it is for' }).fill('Everything');
    await dialog.getByRole('checkbox', { name: 'Hand in work' }).waitFor();
    for (const box of await dialog.getByRole('checkbox').all()) await box.check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const program = fixtures.callAs(await takeSecret(page, 'Your token'));
    const { scopes } = (await program.get('/api/v3/me/token')).body.data;
    expect(scopes.toSorted()).toEqual((await teacher.get('/api/v3/me/token')).body.data.scopes.toSorted());
    expect(scopes).toContain('import');
    expect(scopes).not.toContain('audit:read');
  });

  test('a token without any permission is refused when the permissions are chosen', async () => {
    const { page, watch } = await openAs(await fixtures.newStudent(), '/account');
    watch.expectFailure(422, /\/me\/tokens$/);
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog', { name: 'New token' });
    await dialog.getByRole('textbox', { name: 'What it is for' }).fill('Nothing');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').first().waitFor();
  });

  test('an administrator creates a service account for one course, gives it a second token and disables it', async () => {
    const courseId = await fixtures.newCourse(`Registry ${unique()}`);
    const other = await fixtures.newCourse();
    const [title, name] = [await titleOf(courseId), `Registry ${unique()}`];
    const admin = await fixtures.newAccount({ role: 'admin', first_name: 'Grace' });
    const { page } = await openAs(admin, '/console/service-accounts');
    await page.getByRole('button', { name: 'New service account' }).click();
    const dialog = page.getByRole('dialog', { name: 'New service account' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('checkbox', { name: 'Read courses and classes' }).check();
    await dialog.getByRole('checkbox', { name: /^All courses/ }).uncheck();
    await dialog.getByRole('checkbox', { name: title, exact: true }).check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const secret = 'The token of the service account';
    const first = fixtures.callAs(await takeSecret(page, secret));
    const statusOf = async (client: typeof first, id: number) =>
      (await client.get(`/api/v3/admin/courses/${id}`)).status;
    expect(await statusOf(first, courseId)).toBe(200);
    expect(await statusOf(first, other)).toBe(404);

    await page.getByRole('button', { name: `New token: ${name}` }).click();
    await page.getByRole('dialog', { name: 'New token' }).getByRole('button', { name: 'Create' }).click();
    const second = fixtures.callAs(await takeSecret(page, secret));
    expect([await statusOf(first, courseId), await statusOf(second, courseId)]).toEqual([200, 200]);
    const row = page.getByRole('row').filter({ hasText: name });
    await expect.poll(() => row.getByRole('listitem').count()).toBe(2);

    await page.getByRole('button', { name: `Disable: ${name}` }).click();
    const confirmation = page.getByRole('dialog', { name: 'Disable the service account?' });
    await confirmation.getByRole('button', { name: 'Disable' }).click();
    await row.getByText('Disabled', { exact: true }).waitFor();
    await expect.poll(() => statusOf(first, courseId)).toBe(401);
    await expect.poll(() => statusOf(second, courseId)).toBe(401);
  });
});

async function titleOf(courseId: number): Promise<string> {
  const admin = await fixtures.asAdmin();
  return (await admin.get(`/api/v3/admin/courses/${courseId}`)).body.data.title;
}

test('a person chooses which messages are sent, and the choice is stored', async () => {
  const student = await fixtures.newStudent();
  const { page } = await openAs(student, '/account');
  const form = page.getByRole('form', { name: 'Notifications by mail' });
  await form.getByLabel('Grades were released').selectOption('off');
  await form.getByLabel('Language of the messages').selectOption('ar');
  await form.getByRole('button', { name: 'Save' }).click();
  await form.getByText('Saved').waitFor();
  const { data } = (await student.get('/api/v3/me/notifications')).body;
  expect(data.language).toBe('ar');
  expect(data.kinds).toMatchObject({ 'grades.released': 'off', 'submission.received': 'mail' });
  expect(data.kinds).not.toHaveProperty(['grading.finished']);
  await page.reload();
  await expect.poll(() => form.getByLabel('Grades were released').inputValue()).toBe('off');
});

test('a person subscribes to a calendar, and ends its address', async () => {
  const scene = await newCourseScene();
  const { title } = await newQuiz(scene, { closes_at: new Date(Date.now() + 86_400_000).toISOString() });
  const [student] = scene.students;
  if (!student) throw new Error('no student');
  const { page } = await openAs(student, '/account');
  await page.getByRole('button', { name: 'Create a calendar address' }).click();
  const url = await takeSecret(page, 'The address of your calendar');
  const read = async () => {
    const response = await fetch(url);
    return { status: response.status, text: await response.text() };
  };
  await expect.poll(async () => (await read()).text.replaceAll('\r\n ', '')).toContain(title);
  await page.getByRole('button', { name: 'End the address' }).click();
  await page.getByText('The address has ended.').waitFor();
  await expect.poll(async () => (await read()).status).toBe(404);
});

test('a teacher enrolls students from a file: nothing changes before incorrect lines are shown and corrected', async () => {
  const scene = await newCourseScene([]);
  const newcomer = await fixtures.newStudent({ first_name: 'Ada', last_name: 'Lovelace' });
  const { page } = await openAs(scene.teacher, `/courses/${scene.courseId}/students`);
  await page.getByRole('button', { name: 'Enroll from a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Enroll students from a file' });
  const file = dialog.getByLabel('CSV file');
  await file.setInputFiles(csv(`name,email\nAda Lovelace,${newcomer.email}\nNobody,not an address\n`));
  await dialog.getByRole('button', { name: 'Check the file' }).click();
  await dialog.getByText('Line 3').waitFor();
  expect(await dialog.getByRole('button', { name: 'Apply' }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);
  await file.setInputFiles(csv(`name,email\nAda Lovelace,${newcomer.email}\n`));
  await dialog.getByRole('button', { name: 'Check the file' }).click();
  await dialog.getByText('Enrolled: 1').waitFor();
  const paid = async () =>
    (await scene.teacher.get(`${grading}/courses/${scene.courseId}/students`)).body.meta.total;
  expect(await paid()).toBe(0);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('table', { name: 'Students' }).getByText('Ada Lovelace').waitFor();
  expect(await paid()).toBe(1);
});

test('a teacher grades from a file after seeing how many grades it changes', async () => {
  const scene = await newGradingScene({ rubric: [] });
  const [first, second] = scene.students;
  const { page } = await openAs(scene.grader, `${scene.path}/settings`);
  await page.getByRole('button', { name: 'Grades from a file' }).click();
  const dialog = page.getByRole('dialog', { name: 'Grades from a file' });
  const lines = ['email,grade,comment', `${first?.email},7.5,Well done`, `${second?.email},4,`];
  await dialog.getByLabel('CSV file').setInputFiles(csv(lines.join('\n')));
  await dialog.getByRole('button', { name: 'Check the file' }).click();
  await dialog.getByText('Changes: 2 · Unchanged: 0').waitFor();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const grades = await Promise.all(scene.submissions.map(async ({ id }) => (await scene.detail(id)).grade));
  expect(grades).toEqual([7.5, 4]);
});

test('the console says where single sign-on is configured', async () => {
  const admin = await fixtures.newAccount({ role: 'admin', first_name: 'Grace' });
  const { page } = await openAs(admin, '/console/providers');
  await page.getByRole('heading', { name: 'Single sign-on' }).waitFor();
  await page.getByText('OIDC_PROVIDERS').waitFor();
});
