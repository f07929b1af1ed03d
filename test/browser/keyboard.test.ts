import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { deskOf, waitForStudent } from './desk.ts';
import { gradebookOf, newGradingScene } from './gradingScene.ts';
import { openWindow } from './openWindow.ts';

const lastNames = [
  'Abel',
  'Banach',
  'Cauchy',
  'Dirac',
  'Euler',
  'Frege',
  'Gauss',
  'Hilbert',
  'Ito',
  'Jacobi',
];

/** Presses Tab until the focused element has a name. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const { ariaLabel, textContent } = document.activeElement as HTMLElement;
      return (ariaLabel ?? textContent).trim();
    });
  for (let presses = 0; presses < 40; presses += 1) {
    if ((await focused()) === name) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${name}`);
}

async function logInByKeyboard(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto('/login');
  // The page opens with the focus on its first field.
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email');
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
}

test('an instructor grades ten submissions using only the keyboard, and the gradebook has ten grades', async () => {
  const scene = await newGradingScene({ lastNames });
  const window = await openWindow();
  const { page } = window;
  const desk = deskOf(window);
  const press = (key: string) => page.keyboard.press(key);
  await logInByKeyboard(page, scene.grader);
  await page.getByRole('link', { name: 'Grading', exact: true }).waitFor();
  await tabTo(page, 'Grading');
  await press('Enter');
  await page.getByRole('heading', { name: 'Grading' }).waitFor();
  await page.getByRole('link', { name: scene.title }).waitFor();
  await tabTo(page, scene.title);
  await press('Enter');
  await page.getByRole('heading', { name: scene.title }).waitFor();
  await tabTo(page, 'Grade next');
  await press('Enter');

  const expected: Record<string, number> = {};
  for (const [position, { studentName }] of scene.submissions.entries()) {
    await waitForStudent(page, desk, scene, position);
    if (position % 3 === 0) {
      // One item is selected by its position, and one by its own key.
      for (const key of ['1', 'q', 'n']) await press(key);
      expected[studentName] = 6.5;
    } else if (position % 3 === 1) {
      await press('g');
      await page.keyboard.type('4.25');
      for (const key of ['Escape', 'n']) await press(key);
      expected[studentName] = 4.25;
    } else {
      await press('2');
      await press('c');
      // Keys are text while the user types.
      await page.keyboard.type('no conclusion, 1 page');
      await press('Control+Enter');
      expected[studentName] = 7;
    }
  }
  await expect.poll(() => desk.status.textContent()).toContain('Nothing left to grade');
  await page.getByText('10 of 10').waitFor();
  await expect.poll(() => gradebookOf(scene)).toEqual(expected);
  expect((await scene.detail(scene.submissions[2]?.id ?? 0)).comment).toBe('no conclusion, 1 page');
});

/** Presses a key at the moment when a student's sheet appears, before the browser has painted it. */
const pressWhenShown = (page: Page, key: string, student: string): Promise<void> =>
  page.evaluate(
    ([key, student]) => {
      const observer = new MutationObserver(() => {
        const shown = [...document.querySelectorAll('aside h1')].find((each) => each.checkVisibility());
        if (shown?.textContent !== student) return;
        observer.disconnect();
        const place = document.activeElement ?? document.body;
        place.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      });
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    },
    [key, student] as const,
  );

test.for([
  ['with the keys of the desk', ['2', 'n']],
  ['from the comment', ['2', 'c', 'Control+Enter']],
] as const)(
  'a key pressed as the next sheet appears belongs to that sheet, when the grader continues %s',
  async ([, keys]) => {
    const scene = await newGradingScene();
    const [first, second] = scene.submissions;
    const window = await openWindow();
    const { page } = window;
    const desk = deskOf(window);
    await logInByKeyboard(page, scene.grader);
    await page.getByRole('link', { name: scene.title }).waitFor();
    await page.goto(scene.deskPath(0));
    await waitForStudent(page, desk, scene, 0);
    await pressWhenShown(page, '1', second?.studentName ?? '');
    for (const key of keys) await page.keyboard.press(key);
    await waitForStudent(page, desk, scene, 1);
    await expect.poll(() => desk.grade.inputValue()).toBe('9');
    expect(await desk.item('The operation is not shown').isChecked()).toBe(true);
    await page.keyboard.press('k');
    await waitForStudent(page, desk, scene, 0);
    expect(await desk.grade.inputValue()).toBe('7');
    await expect.poll(async () => (await scene.detail(first?.id ?? 0)).grade).toBe(7);
  },
);

test('shortcuts do not change a submission while a dialog is open or the user is typing', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel'] });
  const window = await openWindow();
  const { page } = window;
  await logInByKeyboard(page, scene.grader);
  await page.getByRole('link', { name: scene.title }).waitFor();
  await page.goto(scene.deskPath(0));
  const desk = deskOf(window);
  await waitForStudent(page, desk, scene, 0);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await dialog.waitFor();
  for (const key of ['1', 'n', 'p']) await page.keyboard.press(key);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.keyboard.press('c');
  await page.keyboard.type('1n2');
  expect(await desk.comment.inputValue()).toBe('1n2');
  for (const each of await desk.form.getByRole('checkbox').all()) expect(await each.isChecked()).toBe(false);
  expect(await page.getByRole('button', { name: 'Pen' }).getAttribute('aria-pressed')).toBe('false');
  expect((await scene.detail(scene.submissions[0]?.id ?? 0)).grade).toBeNull();
});
