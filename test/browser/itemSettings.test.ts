import { expect, test } from 'vitest';
import { createFixtures, type GradingScene, grading, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { violations } from './violations.ts';

const itemOf = async ({ grader, kind, itemId }: GradingScene) =>
  (await grader.get(`${grading}/${kind}/${itemId}`)).body.data;

/** Makes the scene's only instructor a grader. */
async function demote({ courseId, grader }: GradingScene): Promise<void> {
  const admin = await createFixtures().asAdmin();
  const path = `/api/v3/admin/courses/${courseId}/instructors/${grader.id}`;
  const { status } = await admin.put(path, { role: 'grader' });
  expect(status).toBe(200);
}

test('a teacher hides the grades of an item immediately, and releases them after a confirmation with the number of students', async () => {
  const scene = await newGradingScene();
  const [first] = scene.submissions;
  const body = { selection: [], rubric_revision: scene.rubricRevision };
  await scene.grader.put(`${grading}/quizzes/submissions/${first?.id}`, body, { 'if-match': '*' });
  const own = async () =>
    (await scene.students[0]?.get('/api/v3/quiz/submissions'))?.body.data[0] as { is_marked: number };
  expect(await own()).toMatchObject({ is_marked: 1 });

  const { page } = await openAs(scene.grader, scene.path);
  const state = page.getByRole('region', { name: 'State' });
  await state.getByText('Open', { exact: true }).waitFor();
  await state.getByText('Never closes').waitFor();
  await state.getByRole('button', { name: 'Hide grades' }).click();
  await state.getByText('Grades held back').waitFor();
  expect(await own()).toMatchObject({ is_marked: 0, grade: null });

  await state.getByRole('button', { name: 'Release grades' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release the grades?' });
  await dialog.getByText('1 student will see the grade').waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await own()).toMatchObject({ is_marked: 0 });
  await state.getByRole('button', { name: 'Release grades' }).click();
  await dialog.getByRole('button', { name: 'Release grades' }).click();
  await state.getByText('Grades released').waitFor();
  await expect.poll(own).toMatchObject({ is_marked: 1, grade: 10 });
});

test('the settings show the stored values, save only changed ones, and clear a time', async () => {
  const scene = await newGradingScene({ lastNames: [], rubric: [] });
  const { page } = await openAs(scene.grader, `${scene.path}/settings`);
  const form = page.getByRole('form', { name: 'Settings' });
  const title = form.getByRole('textbox', { name: 'Title' });
  const closes = form.getByLabel('Closes', { exact: true });
  const save = form.getByRole('button', { name: 'Save' });
  const status = form.getByRole('status');
  expect(await title.inputValue()).toBe(scene.title);
  expect(await form.getByRole('textbox', { name: 'Out of' }).inputValue()).toBe('10');
  await save.click();
  await expect.poll(() => status.textContent()).toBe('Nothing has changed');

  await title.fill('Groups and rings');
  await closes.fill('2030-05-01T10:00');
  await form.getByRole('checkbox', { name: 'Late work' }).check();
  await form.getByLabel('Accepted until').fill('2030-05-02T10:00');
  await form.getByRole('textbox', { name: 'Penalty in percent' }).fill('10');
  await form.getByRole('combobox', { name: 'Taken' }).selectOption('day');
  await form.getByRole('combobox', { name: 'Students see their grades' }).selectOption('manual');
  await form.getByRole('checkbox', { name: 'Anonymous grading' }).check();
  await form.getByRole('checkbox', { name: 'Shuffled order' }).check();
  expect(await violations(page)).toEqual([]);
  await save.click();
  await expect.poll(() => status.textContent()).toBe('Saved');
  const stored = await itemOf(scene);
  expect(stored).toMatchObject({
    title: 'Groups and rings',
    release: 'manual',
    anonymous: true,
    order: 'shuffled',
  });
  expect(stored.late).toMatchObject({ penalty_percent: 10, per: 'day', grace_minutes: 0, floor_percent: 0 });
  expect(Date.parse(stored.late.until) - Date.parse(stored.closes_at)).toBe(24 * 3_600_000);
  await page.getByRole('region', { name: 'State' }).getByText('Grades held back').waitFor();

  await form.getByRole('checkbox', { name: 'Late work' }).uncheck();
  await form
    .locator('.field', { has: page.getByText('Closes', { exact: true }) })
    .getByRole('button', { name: 'Clear' })
    .click();
  await save.click();
  await expect.poll(() => itemOf(scene)).toMatchObject({ closes_at: null, late: null });

  await page.reload();
  expect(await title.inputValue()).toBe('Groups and rings');
  expect(await closes.inputValue()).toBe('');
  expect(await form.getByRole('checkbox', { name: 'Shuffled order' }).isChecked()).toBe(true);
});

test('settings changed by someone else in the meantime are kept, and conflicts are shown', async () => {
  const scene = await newGradingScene({ lastNames: [], rubric: [] });
  const { page, watch } = await openAs(scene.grader, `${scene.path}/settings`);
  watch.allowFailure(412, new RegExp(`/${scene.itemId}$`));
  const form = page.getByRole('form', { name: 'Settings' });
  const title = form.getByRole('textbox', { name: 'Title' });
  const save = form.getByRole('button', { name: 'Save' });
  await title.fill('Rings');
  const path = `${grading}/quizzes/${scene.itemId}`;
  await scene.grader.patch(path, { order: 'shuffled' });
  await save.click();
  await expect.poll(() => itemOf(scene)).toMatchObject({ title: 'Rings', order: 'shuffled' });
  await form.getByText('Saved', { exact: true }).waitFor();

  await scene.grader.patch(path, { title: 'Fields' });
  await title.fill('Modules');
  await save.click();
  const notice = form.getByRole('alert');
  await notice.getByText('Someone else has changed the same settings in the meantime.').waitFor();
  expect(await itemOf(scene)).toMatchObject({ title: 'Fields' });
  await notice.getByRole('button', { name: 'Show their settings' }).click();
  await expect.poll(() => title.inputValue()).toBe('Fields');
});

test('a teacher copies an item as a draft, publishes it, and deletes it after a confirmation', async () => {
  const scene = await newGradingScene({ lastNames: [] });
  const { page } = await openAs(scene.grader, `${scene.path}/settings`);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: `Copy ${scene.title}` });
  await dialog.getByRole('textbox', { name: 'Title' }).fill('The copy');
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Copy' }).click();
  const state = page.getByRole('region', { name: 'State' });
  await state.getByText('Draft', { exact: true }).waitFor();
  const form = page.getByRole('form', { name: 'Settings' });
  await expect.poll(() => form.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('The copy');
  await state.getByRole('button', { name: 'Publish' }).click();
  await state.getByText('Open', { exact: true }).waitFor();

  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Delete The copy?' });
  await question.getByText('No one has handed in anything.').waitFor();
  await question.getByRole('button', { name: 'Delete' }).click();
  await page.waitForURL('**/grading');
  await page.getByRole('link', { name: scene.title }).waitFor();
  expect(await page.getByRole('link', { name: 'The copy' }).count()).toBe(0);
});

test("a grader sees the state of an item, but not the teachers' buttons", async () => {
  const scene = await newGradingScene();
  await demote(scene);
  const { page } = await openAs(scene.grader, scene.path);
  await page.getByRole('region', { name: 'State' }).getByText('Grades released').waitFor();
  await page.getByRole('button', { name: 'Grade next' }).waitFor();
  await page.getByRole('tab', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Only teachers of the course can change its settings' }).waitFor();
  expect(await page.getByRole('button', { name: /Publish|Hide grades|Release grades|Delete/ }).count()).toBe(
    0,
  );
});

test('the pages of an item are keyboard-accessible tabs, and the rubric and the statistics are also links', async () => {
  const scene = await newGradingScene();
  const { page } = await openAs(scene.grader, scene.path);
  const selected = () => page.getByRole('tab', { selected: true }).first().textContent();
  await page.getByRole('tab', { name: 'Submissions' }).focus();
  await page.keyboard.press('End');
  expect(await selected()).toBe('Submissions');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  await expect.poll(selected).toBe('Statistics');
  await page.waitForURL(`**${scene.path}/statistics`);
  // The focus stays on the tab.
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Statistics');
  await page.getByRole('link', { name: scene.title }).click();
  await page.getByRole('heading', { name: scene.title }).waitFor();
  await page.getByRole('link', { name: 'Rubric', exact: true }).click();
  await expect.poll(selected).toBe('Rubric');
});

test('grading the last submission shows how the grades turned out, and offers to release them', async () => {
  const scene = await newGradingScene();
  await scene.grader.patch(`${grading}/quizzes/${scene.itemId}`, { release: 'manual' });
  const { page } = await openAs(scene.grader, scene.path);
  await page.getByRole('button', { name: 'Grade next' }).click();
  for (const { studentName } of scene.submissions) {
    await page.getByRole('heading', { level: 1, name: studentName }).waitFor();
    await page.getByRole('checkbox', { name: 'The example is not a group.' }).check();
    // The neighbours of the open submission are also in the document, but hidden.
    await page.getByText('7 / 10').filter({ visible: true }).waitFor();
    await page.getByRole('button', { name: 'Save and next' }).click();
  }
  const finish = page.getByRole('region', { name: 'All 2 graded' });
  await finish.getByText('Mean').waitFor();
  expect(await violations(page)).toEqual([]);
  await finish.getByRole('button', { name: 'Release grades' }).click();
  const dialog = page.getByRole('dialog', { name: 'Release the grades?' });
  await dialog.getByText('2 students will see their grades').waitFor();
  await dialog.getByRole('button', { name: 'Release grades' }).click();
  await expect.poll(() => itemOf(scene)).toMatchObject({ released_at: expect.any(String) });
});
