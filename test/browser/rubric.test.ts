import { expect, test } from 'vitest';
import { gradebookOf, grading, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { violations } from './violations.ts';

test('a change to the rubric changes exactly the grades in its preview', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel', 'Banach', 'Cauchy'] });
  const [first, second] = scene.rubricItems;
  const selections = [[first?.id], [first?.id, second?.id], []];
  for (const [position, { id }] of scene.submissions.entries()) {
    const body = { selection: selections[position], rubric_revision: scene.rubricRevision };
    await scene.grader.put(`${grading}/quizzes/submissions/${id}`, body, { 'if-match': '*' });
  }

  const { page } = await openAs(scene.grader, `${scene.path}/rubric`);
  const items = page.getByRole('list', { name: 'Items' }).getByRole('listitem');
  await items.first().getByRole('spinbutton', { name: 'Points' }).fill('2.5');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'These grades change' });
  await dialog.waitFor();
  const rows = await dialog.getByRole('row').all();
  const preview = await Promise.all(rows.slice(1).map((row) => row.locator('th, td').allTextContents()));
  expect(preview).toEqual([
    ['Ada Abel', '9', '7.5'],
    ['Ada Banach', '6', '4.5'],
  ]);
  expect(await violations(page)).toEqual([]);
  // Nothing has changed yet.
  expect((await scene.detail(scene.submissions[0]?.id ?? 0)).grade).toBe(9);
  await dialog.getByRole('button', { name: 'Apply to 2 grades' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('status').last().textContent()).toBe('Saved');
  await expect
    .poll(() => gradebookOf(scene))
    .toEqual({ 'Ada Abel': 7.5, 'Ada Banach': 4.5, 'Ada Cauchy': 10 });
});

test('rubric items are moved with the keyboard and keep their order', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const { page } = await openAs(scene.grader, `${scene.path}/rubric`);
  const texts = () =>
    page
      .getByRole('list', { name: 'Items' })
      .getByRole('textbox', { name: 'Text' })
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
  const [one, two, three] = scene.rubricItems.map(({ text }) => text);
  await page.getByRole('button', { name: 'Move item 3', exact: true }).focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(texts).toEqual([one, three, two]);
  await page.keyboard.press('ArrowUp');
  await expect.poll(texts).toEqual([three, one, two]);
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await page.getByRole('button', { name: 'Save the rubric' }).click();
  await expect.poll(() => page.getByRole('status').last().textContent()).toBe('Saved');
  await page.reload();
  await expect.poll(texts).toEqual([three, one, two]);
});

test('a new row gets the focus, an empty row is dropped, and leaving with unsaved changes asks for confirmation', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const { page } = await openAs(scene.grader, `${scene.path}/rubric`);
  const texts = page.getByRole('list', { name: 'Items' }).getByRole('textbox', { name: 'Text' });
  await page.getByRole('button', { name: 'Add an item' }).click();
  await expect.poll(() => texts.count()).toBe(4);
  const isFocused = () => texts.last().evaluate((field) => field === document.activeElement);
  await expect.poll(isFocused).toBe(true);
  // An empty row does not count as a change, so leaving needs no confirmation.
  await page.getByRole('link', { name: scene.title }).click();
  await page.getByRole('heading', { name: scene.title }).waitFor();
  await page.getByRole('link', { name: 'Rubric', exact: true }).click();

  await page.getByRole('button', { name: 'Add an item' }).click();
  await texts.last().fill('The notation is unusual.');
  await page.getByRole('button', { name: 'Add an item' }).click();
  await page.getByRole('link', { name: scene.title }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.waitFor();
  expect(await violations(page)).toEqual([]);
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Preview changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'These grades change' });
  await dialog.getByText('No grade changes.').waitFor();
  await dialog.getByRole('button', { name: 'Save the rubric' }).click();
  await expect.poll(() => page.getByRole('status').last().textContent()).toBe('Saved');
  expect(await texts.count()).toBe(4);
  await page.getByRole('link', { name: scene.title }).click();
  await page.getByRole('heading', { name: scene.title }).waitFor();
});
