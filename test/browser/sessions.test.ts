import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { deskOf, waitForStudent } from './desk.ts';
import { createFixtures, newGradingScene } from './gradingScene.ts';
import { logIn, openAs, openWindow, tokenOf } from './openWindow.ts';
import { violations } from './violations.ts';

const newInstructor = () => createFixtures().newAccount({ role: 'instructor', first_name: 'Emmy' });

async function logOut(page: Page): Promise<void> {
  await page.getByRole('banner').getByRole('button', { name: /^Emmy/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
}

test('logging out in one tab logs out the other and ends the session', async () => {
  const { page, context } = await openAs(await newInstructor(), '/grading');
  const second = await context.newPage();
  const token = tokenOf(second);
  await second.goto('/grading');
  await second.getByRole('heading', { name: 'Grading', level: 1 }).waitFor();
  await logOut(page);
  for (const tab of [page, second]) await tab.getByRole('button', { name: 'Log in' }).waitFor();
  const client = createFixtures().callAs(token());
  await expect.poll(async () => (await client.get('/api/v3/me')).status).toBe(401);
  await second.goto('/grading');
  await second.getByRole('button', { name: 'Log in' }).waitFor();
});

test('a session survives a restart of the browser', async () => {
  const profile = await mkdtemp(join(tmpdir(), 'gradeway-profile-'));
  onTestFinished(() => rm(profile, { recursive: true, force: true }));
  const before = await openAs(await newInstructor(), '/grading', { profile });
  await before.page.getByRole('heading', { name: 'Grading', level: 1 }).waitFor();
  await before.context.close();
  const { page } = await openWindow({ profile });
  await page.goto('/grading');
  await page.getByRole('heading', { name: 'Grading', level: 1 }).waitFor();
});

test('two tabs share one session, whichever refreshes it', async () => {
  const { page, context } = await openAs(await newInstructor(), '/grading');
  const second = await context.newPage();
  for (const tab of [second, page, second]) {
    await tab.goto('/grading');
    await tab.getByRole('heading', { name: 'Grading', level: 1 }).waitFor();
  }
});

test('when the session ends during grading, logging in over the page keeps the draft', async () => {
  const scene = await newGradingScene();
  const window = await openWindow();
  const token = tokenOf(window.page);
  await logIn(window, scene.grader, scene.deskPath(0));
  const { page, watch } = window;
  watch.allowFailure(401, /^\/(api\/v3\/grading|session)\//);
  const desk = deskOf(window);
  await waitForStudent(page, desk, scene, 0);
  await desk.comment.fill('Written before the session ended');
  const ended = await createFixtures().callAs(token()).post('/api/v3/logout');
  expect(ended.status).toBe(204);
  await expect
    .poll(async () => (await createFixtures().callAs(token()).get(`/api/v3/grading/quizzes`)).status)
    .toBe(401);

  await desk.item('The example is not a group.').check();
  await desk.save.click();
  const dialog = page.getByRole('dialog', { name: 'Log in again' });
  await dialog.waitFor();
  expect(await violations(page)).toEqual([]);
  expect((await scene.detail(scene.submissions[0]?.id ?? 0)).grade).toBeNull();
  await dialog.getByRole('textbox', { name: 'Email or mobile number' }).fill(scene.grader.email);
  await dialog.getByLabel('Password').fill(scene.grader.password);
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => desk.status.textContent()).toContain('Saved');
  expect(await desk.comment.inputValue()).toBe('Written before the session ended');
  expect(await scene.detail(scene.submissions[0]?.id ?? 0)).toMatchObject({
    grade: 7,
    comment: 'Written before the session ended',
  });
});
