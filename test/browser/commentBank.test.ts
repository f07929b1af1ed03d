import { expect, test } from 'vitest';
import { deskOf } from './desk.ts';
import { grading, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';

async function openDesk(height: number) {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  await scene.grader.post(`${grading}/comments`, { text: 'Nearly everything is there.' });
  await scene.grader.post(`${grading}/comments`, { text: 'Which axiom do you use?' });
  const window = await openAs(scene.grader, scene.deskPath(0), { height });
  const { page } = window;
  await page.locator('[data-page="1"] canvas').waitFor();
  const desk = deskOf(window);
  return { page, desk, bank: desk.form.getByRole('combobox', { name: 'Insert a comment' }) };
}

test('a saved comment is found by part of its text and inserted after the text in the field', async () => {
  const { page, desk, bank } = await openDesk(800);
  await desk.comment.fill('Good.');
  await bank.focus();
  await bank.pressSequentially('axiom');
  await page.getByRole('option', { name: 'Which axiom do you use?' }).click();
  expect(await desk.comment.inputValue()).toBe('Good.\nWhich axiom do you use?');
  await expect.poll(() => desk.comment.evaluate((field) => field === document.activeElement)).toBe(true);
});

test('a click opens the list of comments even after the form has scrolled to it, and an arrow key selects one', async () => {
  const { page, desk, bank } = await openDesk(420);
  await bank.click();
  await page.getByRole('option').first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => desk.comment.inputValue()).not.toBe('');
});

test('Tab moves past the comment bank without opening its list', async () => {
  const { page, desk, bank } = await openDesk(420);
  await desk.comment.focus();
  await page.keyboard.press('Tab');
  expect(await bank.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await bank.getAttribute('aria-expanded')).toBe('false');
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option').first().waitFor();
});
