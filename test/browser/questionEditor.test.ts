import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { grading } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { newOutlineScene } from './outlineScene.ts';
import { violations } from './violations.ts';

const two = [
  { label: '1', max_points: 4 },
  { label: '2', title: 'Induction', max_points: 6 },
];

const editorOf = (page: Page) => page.getByRole('form', { name: 'Questions' });
const rowsOf = (page: Page) => editorOf(page).getByRole('list', { name: 'Questions' }).getByRole('listitem');
const saved = (page: Page) => editorOf(page).getByRole('status').filter({ hasText: 'Saved' }).waitFor();
const labelsOf = (page: Page) =>
  editorOf(page)
    .getByRole('textbox', { name: 'Label' })
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

test('a teacher enters the first questions, sees their total, orders them with the keyboard and saves them at once', async () => {
  const scene = await newOutlineScene();
  const { page } = await openAs(scene.grader, scene.path);
  await page.getByRole('tab', { name: 'Questions' }).click();
  await page.waitForURL(`**${scene.path}/questions`);
  const editor = editorOf(page);
  await rowsOf(page).first().getByRole('spinbutton', { name: 'Points' }).fill('2.1');
  await editor.getByRole('button', { name: 'Add a question' }).click();
  // The label follows the previous one, and the new row has the focus.
  await expect.poll(() => labelsOf(page)).toEqual(['1', '2']);
  const second = rowsOf(page).nth(1);
  const label = second.getByRole('textbox', { name: 'Label' });
  await expect.poll(() => label.evaluate((field) => field === document.activeElement)).toBe(true);
  await label.fill('2b');
  await second.getByRole('textbox', { name: 'Title' }).fill('Induction');
  await second.getByRole('spinbutton', { name: 'Points' }).fill('4,2');
  await editor.getByText('Total points: 6.3').waitFor();
  await editor.getByRole('button', { name: 'Move question 2', exact: true }).focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => labelsOf(page)).toEqual(['2b', '1']);
  expect(await violations(page)).toEqual([]);

  await editor.getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page);
  expect(await scene.outline()).toMatchObject({
    total_points: 6.3,
    questions: [
      { label: '2b', title: 'Induction', max_points: 4.2, region: null },
      { label: '1', title: null, max_points: 2.1 },
    ],
  });
  await page.getByRole('progressbar', { name: '2b graded' }).waitFor();
  await page.reload();
  await expect.poll(() => labelsOf(page)).toEqual(['2b', '1']);
});

test('questions without points, without a label or with the same label are not saved', async () => {
  const scene = await newOutlineScene({ questions: two });
  const { page } = await openAs(scene.grader, `${scene.path}/questions`);
  const save = editorOf(page).getByRole('button', { name: 'Save', exact: true });
  const label = rowsOf(page).nth(1).getByRole('textbox', { name: 'Label' });
  for (const [text, message] of [
    ['1', 'Two questions have the same label.'],
    [' ', 'Every question needs a label.'],
  ] as const) {
    await label.fill(text);
    await save.click();
    await page.getByRole('alert').filter({ hasText: message }).waitFor();
  }
  await label.fill('2');
  await rowsOf(page).nth(1).getByRole('spinbutton', { name: 'Points' }).fill('0');
  await save.click();
  await page.getByRole('alert').filter({ hasText: 'Enter points above 0 for each question.' }).waitFor();
  expect((await scene.outline()).revision).toBe(1);
});

test('a region is drawn on the question sheet with the mouse, in the coordinates of the page, and removed again', async () => {
  const sheet = [{}, { mediaBox: [0, 0, 400, 600], rotate: 90 }] as const;
  const scene = await newOutlineScene({ questions: two, sheet });
  const { page } = await openAs(scene.grader, `${scene.path}/questions`);
  const draw = editorOf(page).getByRole('button', { name: 'Draw the region of question 2' });
  const paper = page.locator('[data-page="2"]');
  await page.locator('[data-page="1"] canvas').waitFor();
  await draw.click();
  expect(await draw.getAttribute('aria-pressed')).toBe('true');
  await paper.scrollIntoViewIfNeeded();
  await paper.locator('canvas').waitFor();
  const box = await paper.boundingBox();
  if (!box) throw new Error('the page is not on the screen');
  // Rotated by 90 degrees, the page is 600 wide and 400 high, and its left edge is at the top.
  const at = (x: number, y: number) =>
    [box.x + (x / 600) * box.width, box.y + (y / 400) * box.height] as const;
  await page.mouse.move(...at(60, 40));
  await page.mouse.down();
  await page.mouse.move(...at(300, 120), { steps: 4 });
  await page.mouse.up();
  await rowsOf(page).nth(1).getByText('On page 2').waitFor();
  expect(await draw.getAttribute('aria-pressed')).toBe('false');
  expect(await draw.evaluate((button) => button === document.activeElement)).toBe(true);
  expect(await violations(page)).toEqual([]);

  const save = editorOf(page).getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await saved(page);
  const region = (await scene.outline()).questions[1]?.region;
  expect(region?.page).toBe(2);
  // A mouse is accurate only to a pixel.
  expect(region?.rect).toEqual([40, 60, 80, 240].map((each) => expect.closeTo(each, -0.6)));

  await page.getByRole('button', { name: 'Remove the region of question 2' }).click();
  await save.click();
  await expect.poll(async () => (await scene.outline()).questions[1]?.region).toBeNull();
});

test('the region of an unsaved question is saved with the question', async () => {
  const scene = await newOutlineScene({ sheet: [{}] });
  const { page } = await openAs(scene.grader, `${scene.path}/questions`);
  // The editor starts with one question.
  await rowsOf(page).getByRole('spinbutton', { name: 'Points' }).fill('3');
  await page.locator('[data-page="1"] canvas').waitFor();
  await editorOf(page).getByRole('button', { name: 'Draw the region of question 1' }).click();
  const box = await page.locator('[data-page="1"]').boundingBox();
  if (!box) throw new Error('the page is not on the screen');
  await page.mouse.move(box.x + 40, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 140, box.y + 100, { steps: 4 });
  await page.mouse.up();
  await rowsOf(page).getByText('On page 1').waitFor();
  await editorOf(page).getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page);
  const { questions } = await scene.outline();
  expect(questions).toMatchObject([{ label: '1', max_points: 3, region: { page: 1 } }]);
  await page.reload();
  await rowsOf(page).getByText('On page 1').waitFor();
});

test('a region is drawn, moved and removed with the keyboard', async () => {
  const scene = await newOutlineScene({ questions: two, sheet: [{}] });
  const { page } = await openAs(scene.grader, `${scene.path}/questions`);
  await page.locator('[data-page="1"] canvas').waitFor();
  const row = rowsOf(page).first();
  const draw = row.getByRole('button', { name: 'Draw the region of question 1' });
  await draw.press('Enter');
  const layer = page.getByRole('group', { name: 'Marks on page 1' });
  await expect.poll(() => layer.evaluate((group) => group === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  expect(await draw.getAttribute('aria-pressed')).toBe('false');

  await draw.press('Enter');
  await expect.poll(() => layer.evaluate((group) => group === document.activeElement)).toBe(true);
  for (const key of ['ArrowUp', 'Enter', 'Shift+ArrowRight', 'Shift+ArrowDown', 'Enter'])
    await page.keyboard.press(key);
  await row.getByText('On page 1').waitFor();
  const mark = layer.getByRole('img', { name: 'Highlight: 1' });
  await mark.focus();
  await page.keyboard.press('Shift+ArrowUp');
  await editorOf(page).getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page);
  const region = (await scene.outline()).questions[0]?.region;
  // Drawn from 10 above the middle of the page, 40 in each direction, and then moved up by 20.
  expect(region).toEqual({ page: 1, rect: [297.5, 411, 40, 40] });

  await mark.focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => row.getByText('On page 1').count()).toBe(0);
});

test('a change to graded questions shows the grades that change, and changes exactly those', async () => {
  const scene = await newOutlineScene({ lastNames: ['Abel', 'Banach'], questions: two });
  const [first, second] = scene.submissions;
  await scene.gradeAnswer(first?.id, 0, 3);
  await scene.gradeAnswer(first?.id, 1, 5);
  await scene.gradeAnswer(second?.id, 0, 4);
  const { page } = await openAs(scene.grader, `${scene.path}/questions`);
  const editor = editorOf(page);
  await editor.getByText('2 answers graded').waitFor();
  await editor.getByRole('textbox', { name: 'Title' }).first().fill('Sets');
  await editor.getByRole('button', { name: 'Save', exact: true }).waitFor();
  await editor.getByRole('button', { name: 'Remove question 2' }).click();
  await editor.getByRole('button', { name: 'Preview changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'These grades change' });
  const rows = dialog.getByRole('row');
  await dialog.getByRole('cell', { name: '3' }).waitFor();
  const texts = await Promise.all(
    (await rows.all()).slice(1).map((row) => row.locator('th, td').allTextContents()),
  );
  expect(texts).toEqual([
    ['Ada Abel', '8', '3'],
    ['Ada Banach', '–', '4'],
  ]);
  expect(await violations(page)).toEqual([]);
  expect(await scene.detail(first?.id ?? 0)).toMatchObject({ grade: 8 });
  await dialog.getByRole('button', { name: 'Apply to 2 grades' }).click();
  await dialog.waitFor({ state: 'detached' });
  await saved(page);
  expect(await scene.detail(first?.id ?? 0)).toMatchObject({ grade: 3, status: 'graded' });
  expect(await scene.detail(second?.id ?? 0)).toMatchObject({ grade: 4, status: 'graded' });
});

test('adding a question shows how many submissions are no longer graded', async () => {
  const scene = await newOutlineScene({ questions: two.slice(0, 1) });
  const [first] = scene.submissions;
  await scene.gradeAnswer(first?.id, 0, 3);
  const { page } = await openAs(scene.grader, `${scene.path}/questions`);
  await editorOf(page).getByRole('button', { name: 'Add a question' }).click();
  await rowsOf(page).nth(1).getByRole('spinbutton', { name: 'Points' }).fill('5');
  await editorOf(page).getByRole('button', { name: 'Preview changes' }).click();
  const dialog = page.getByRole('dialog', { name: 'These grades change' });
  await dialog.getByText('1 submission is no longer graded until the missing answers are.').waitFor();
  await dialog.getByRole('button', { name: 'Apply to 1 grades' }).click();
  await saved(page);
  expect(await scene.detail(first?.id ?? 0)).toMatchObject({ grade: null, status: 'ungraded' });
});

test("another teacher's change is shown beside one's own, and either is kept", async () => {
  const scene = await newOutlineScene({ questions: two });
  const { page, watch } = await openAs(scene.grader, `${scene.path}/questions`);
  watch.expectFailure(412, /\/questions\?dry_run=1$/);
  const save = editorOf(page).getByRole('button', { name: 'Save', exact: true });
  const title = rowsOf(page).first().getByRole('textbox', { name: 'Title' });
  const dialog = page.getByRole('dialog', { name: 'Changed meanwhile' });
  await title.fill('Sets');
  await scene.setQuestions([{ label: 'A', title: 'Rings', max_points: 3 }]);
  await save.click();
  await dialog.getByText('Rings').waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Use theirs' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => labelsOf(page)).toEqual(['A']);

  await rowsOf(page).first().getByRole('textbox', { name: 'Label' }).fill('B');
  await scene.setQuestions(two);
  await save.click();
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await saved(page);
  expect((await scene.outline()).questions).toMatchObject([{ label: 'B', title: 'Rings', max_points: 3 }]);
});

test('leaving with unsaved questions asks for confirmation', async () => {
  const scene = await newOutlineScene({ questions: two });
  const { page } = await openAs(scene.grader, `${scene.path}/questions`);
  // A row that was not filled in is not a change.
  await editorOf(page).getByRole('button', { name: 'Add a question' }).click();
  await page.getByRole('link', { name: scene.title }).click();
  await page.getByRole('heading', { name: scene.title }).waitFor();
  await page.getByRole('tab', { name: 'Questions' }).click();
  await rowsOf(page).first().getByRole('textbox', { name: 'Title' }).fill('Sets');
  await page.getByRole('link', { name: scene.title }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByText('Your changes to the questions are not saved.').waitFor();
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await question.waitFor({ state: 'detached' });
  await editorOf(page).getByRole('button', { name: 'Save', exact: true }).click();
  await saved(page);
  await page.getByRole('link', { name: scene.title }).click();
  await page.getByRole('heading', { name: scene.title }).waitFor();
});

test('each question shows how many of its answers are graded, and a button that opens the desk for it', async () => {
  const scene = await newOutlineScene({ lastNames: ['Abel', 'Banach'], questions: two });
  await scene.gradeAnswer(scene.submissions[0]?.id, 1, 5);
  const [, induction] = (await scene.outline()).questions;
  const { page } = await openAs(scene.grader, scene.path);
  await page.getByRole('tab', { name: 'Questions' }).click();
  const bar = (label: string) => page.getByRole('progressbar', { name: `${label} graded`, exact: true });
  await expect.poll(() => bar('2').getAttribute('aria-valuetext')).toBe('1 / 2');
  expect(await bar('1').getAttribute('aria-valuetext')).toBe('0 / 2');
  await page.getByText('Mean 5 of 6').waitFor();
  await page.getByRole('button', { name: 'Grade question 2', exact: true }).click();
  const next = scene.submissions[1]?.id;
  await page.waitForURL(`**${scene.path}/submissions/${next}?question=${induction?.id}`);
});

test('a question gets its own rubric, with the maximum of the question', async () => {
  const scene = await newOutlineScene({ questions: two });
  const [, induction] = (await scene.outline()).questions;
  const { page } = await openAs(scene.grader, `${scene.path}/questions`);
  await page.getByRole('link', { name: 'Add a rubric to question 2' }).click();
  await page.waitForURL(`**${scene.path}/questions/${induction?.id}/rubric`);
  await page.getByRole('heading', { name: 'Rubric of question 2' }).waitFor();
  expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Questions');
  const maximum = page.getByRole('spinbutton', { name: 'Maximum' });
  expect(await maximum.inputValue()).toBe('6');
  expect(await maximum.isEditable()).toBe(false);
  const items = page.getByRole('list', { name: 'Items' }).getByRole('listitem');
  await items.first().getByRole('textbox', { name: 'Text' }).fill('The induction step is missing.');
  await items.first().getByRole('spinbutton', { name: 'Points' }).fill('2');
  await page.getByRole('button', { name: 'Preview changes' }).click();
  await page.getByRole('button', { name: 'Save the rubric' }).click();
  await expect.poll(() => page.getByRole('status').last().textContent()).toBe('Saved');
  expect(await violations(page)).toEqual([]);
  const path = `${grading}/quizzes/${scene.itemId}/questions/${induction?.id}/rubric`;
  expect((await scene.grader.get(path)).body.data).toMatchObject({
    mode: 'subtract',
    max_points: 6,
    items: [{ text: 'The induction step is missing.', points: 2 }],
  });
  await page.getByRole('link', { name: 'All questions' }).click();
  await page.getByRole('link', { name: 'Rubric of question 2' }).waitFor();

  // Work with questions has no rubric for the whole submission.
  await page.getByRole('tab', { name: 'Rubric' }).click();
  await page.getByRole('heading', { name: 'This work is graded by question' }).waitFor();
});

test('a grader who is not a teacher sees the questions, but not their editor', async () => {
  const scene = await newOutlineScene({ questions: two, graders: 2 });
  const [teacher, second] = scene.graders;
  const path = `${grading}/courses/${scene.courseId}/instructors/${second?.id}`;
  await teacher?.put(path, { role: 'grader' });
  const { page } = await openAs(second ?? scene.grader, `${scene.path}/questions`);
  await page.getByRole('button', { name: 'Grade question 1', exact: true }).waitFor();
  expect(await editorOf(page).count()).toBe(0);
});
