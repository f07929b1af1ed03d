import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { deskOf } from './desk.ts';
import { type GradingScene, newGradingScene } from './gradingScene.ts';
import { openAs, type Window } from './openWindow.ts';

interface MarkedSheet {
  scene: GradingScene;
  window: Window;
  page: Page;
  paper: Locator;
  marks: Locator;
}

async function openSheet(): Promise<MarkedSheet> {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const window = await openAs(scene.grader, scene.deskPath(0));
  const { page } = window;
  await page.locator('[data-page="1"] canvas').waitFor();
  const paper = page.locator('[data-page="1"]');
  return { scene, window, page, paper, marks: paper.getByRole('group').getByRole('img') };
}

async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it is not on the screen');
  return box;
}

/** Adds a check mark at a position of the page and deselects the tool. */
async function putCheck({ page, paper, marks }: MarkedSheet, x: number, y: number): Promise<Locator> {
  await page.keyboard.press('v');
  await paper.click({ position: { x, y } });
  await page.keyboard.press('v');
  return marks.last();
}

async function saveGrade({ window, page }: MarkedSheet): Promise<void> {
  const desk = deskOf(window);
  await desk.grade.fill('7');
  await desk.save.click();
  await page.getByText('Saved', { exact: true }).waitFor();
}

test('a mark is moved with the mouse, and each move can be undone and redone', async () => {
  const sheet = await openSheet();
  const { page } = sheet;
  const mark = await putCheck(sheet, 200, 300);
  const before = await boxOf(mark);
  await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2);
  await page.mouse.down();
  await page.mouse.move(before.x + before.width / 2 + 60, before.y + before.height / 2 + 40, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.press('Escape');
  const after = await boxOf(mark);
  expect(after.x - before.x).toBeCloseTo(60, 0);
  expect(after.y - before.y).toBeCloseTo(40, 0);
  await page.getByRole('button', { name: 'Undo' }).click();
  expect((await boxOf(mark)).x).toBeCloseTo(before.x, 0);
  await page.getByRole('button', { name: 'Redo' }).click();
  expect((await boxOf(mark)).x).toBeCloseTo(after.x, 0);
});

test('a mark is moved, coloured, linked to the rubric and saved using only the keyboard and accessible names', async () => {
  const sheet = await openSheet();
  const { page, scene } = sheet;
  const mark = await putCheck(sheet, 200, 300);
  await mark.focus();
  for (const key of ['ArrowRight', 'ArrowRight', 'Shift+ArrowUp']) await page.keyboard.press(key);
  const bar = page.getByRole('group', { name: 'Selected mark' });
  await bar.getByRole('button', { name: 'Blue' }).press('Enter');
  await bar.getByRole('combobox', { name: 'Rubric item' }).selectOption('The example is not a group.');
  await saveGrade(sheet);
  const { annotations } = await scene.detail(scene.submissions[0]?.id ?? 0);
  const item = scene.rubricItems.find(({ text }) => text === 'The example is not a group.');
  expect(annotations).toMatchObject([{ kind: 'check', color: '#1f5fbf', item_id: item?.id }]);
});

test('a key removes a mark, the focus stays on the sheet, and undo restores the mark', async () => {
  const sheet = await openSheet();
  const { page, marks } = sheet;
  const mark = await putCheck(sheet, 200, 300);
  await mark.focus();
  await page.keyboard.press('Delete');
  expect(await marks.count()).toBe(0);
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Pages');
  await page.keyboard.press('z');
  expect(await marks.count()).toBe(1);
});

test('a text mark is edited with the keyboard, and Escape discards the edit', async () => {
  const sheet = await openSheet();
  const { page, paper, marks, scene } = sheet;
  await page.keyboard.press('t');
  await paper.click({ position: { x: 200, y: 300 } });
  const entry = page.getByRole('textbox', { name: 'Text on the page' });
  await entry.fill('Wich axiom?');
  await entry.press('Control+Enter');
  await page.keyboard.press('t');
  await marks.last().focus();
  await page.keyboard.press('Enter');
  await entry.fill('Which axiom?');
  await entry.press('Control+Enter');
  const isFocused = () => marks.last().evaluate((mark) => mark === document.activeElement);
  await expect.poll(isFocused).toBe(true);
  await page.keyboard.press('Enter');
  await entry.fill('Something else');
  await entry.press('Escape');
  await expect.poll(isFocused).toBe(true);
  await saveGrade(sheet);
  const { annotations } = await scene.detail(scene.submissions[0]?.id ?? 0);
  expect(annotations).toMatchObject([{ kind: 'text', text: 'Which axiom?' }]);
});

test('a text mark is edited with its button or the tool, and removed when it is emptied', async () => {
  const sheet = await openSheet();
  const { page, paper, marks } = sheet;
  const entry = page.getByRole('textbox', { name: 'Text on the page' });
  await page.keyboard.press('t');
  await paper.click({ position: { x: 200, y: 300 } });
  await entry.fill('Why?');
  await entry.press('Control+Enter');
  await paper.click({ position: { x: 205, y: 304 } });
  expect(await entry.inputValue()).toBe('Why?');
  await entry.fill('Why not?');
  await entry.press('Control+Enter');
  await page.keyboard.press('t');
  await marks.last().focus();
  await page.getByRole('button', { name: 'Edit the text' }).click();
  expect(await entry.inputValue()).toBe('Why not?');
  await entry.fill('');
  await entry.press('Control+Enter');
  expect(await marks.count()).toBe(0);
  await page.keyboard.press('z');
  expect(await marks.last().getAttribute('aria-label')).toBe('Text: Why not?');
});

test('clicking into the form while typing a text mark keeps the text, and the next keys go to the form', async () => {
  const sheet = await openSheet();
  const { page, paper, marks, window } = sheet;
  await page.keyboard.press('t');
  await paper.click({ position: { x: 200, y: 300 } });
  await page.getByRole('textbox', { name: 'Text on the page' }).fill('Why?');
  const desk = deskOf(window);
  await desk.comment.click();
  await page.keyboard.type('j1');
  expect(await desk.comment.inputValue()).toBe('j1');
  expect(await marks.count()).toBe(1);
});

test('the colour chosen for new marks survives a reload', async () => {
  const sheet = await openSheet();
  const { page, paper, scene } = sheet;
  await page.keyboard.press('v');
  await page
    .getByRole('group', { name: 'Color of new marks: Check' })
    .getByRole('button', { name: 'Green' })
    .click();
  await page.reload();
  await page.locator('[data-page="1"] canvas').waitFor();
  await page.keyboard.press('x');
  await paper.click({ position: { x: 200, y: 300 } });
  await page.keyboard.press('h');
  const highlighters = page.getByRole('group', { name: 'Color of new marks: Highlight' });
  expect(await highlighters.getByRole('button', { name: 'Yellow' }).getAttribute('aria-pressed')).toBe(
    'true',
  );
  await page.keyboard.press('h');
  await saveGrade(sheet);
  const { annotations } = await scene.detail(scene.submissions[0]?.id ?? 0);
  expect(annotations).toMatchObject([{ kind: 'cross', color: '#1e7d3a' }]);
});

test('two fingers zoom the pages and draw nothing', async () => {
  const sheet = await openSheet();
  const { page, paper, marks, window } = sheet;
  await page.keyboard.press('p');
  const before = await boxOf(paper);
  const session = await window.context.newCDPSession(page);
  const fingers = (apart: number) =>
    [-apart, apart].map((by, id) => ({ x: before.x + 300 + by, y: before.y + 300, id }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(50) });
  for (const apart of [60, 80, 100])
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(apart) });
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect.poll(async () => Math.round((await boxOf(paper)).width / before.width)).toBe(2);
  expect(await marks.count()).toBe(0);
});

test('a finger draws, and a tap adds a check mark', async () => {
  const sheet = await openSheet();
  const { page, paper, marks, window } = sheet;
  const { x, y } = await boxOf(paper);
  const session = await window.context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await page.keyboard.press('p');
  await touch('touchStart', [{ x: x + 100, y: y + 100 }]);
  for (const by of [20, 60, 100]) await touch('touchMove', [{ x: x + 100 + by, y: y + 100 + by / 2 }]);
  await touch('touchEnd', []);
  await expect.poll(() => marks.count()).toBe(1);
  await page.keyboard.press('v');
  await touch('touchStart', [{ x: x + 200, y: y + 250 }]);
  await touch('touchEnd', []);
  await expect.poll(() => marks.count()).toBe(2);
});

test('a damaged file shows an error, and its submission can still be graded', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const window = await openAs(scene.grader, scene.path);
  const { page } = window;
  await page.route('**/api/v3/files/**', (route) =>
    route.fulfill({ contentType: 'application/pdf', body: '%PDF-1.7 and then nothing that is one' }),
  );
  await page.goto(scene.deskPath(0));
  await page.getByRole('heading', { name: 'This file is damaged' }).waitFor();
  await page.getByRole('link', { name: 'Download the file' }).waitFor();
  const desk = deskOf(window);
  await desk.grade.fill('3');
  await desk.save.click();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect((await scene.detail(scene.submissions[0]?.id ?? 0)).grade).toBe(3);
});

test('a file that failed to load is loaded on retry', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const window = await openAs(scene.grader, scene.path);
  const { page } = window;
  window.watch.expectFailure('no response', /\/files\//);
  await page.route('**/api/v3/files/**', (route) => route.abort('connectionreset'));
  await page.goto(scene.deskPath(0));
  await page.getByRole('heading', { name: 'The file could not be loaded' }).waitFor();
  await page.unroute('**/api/v3/files/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('[data-page="1"] canvas').waitFor();
});
