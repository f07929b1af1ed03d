import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { grading, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';

/** A quiz that closes in three and a half hours. */
async function newScene() {
  const scene = await newGradingScene({ lastNames: ['Abel'], rubric: [] });
  const closesAt = `${new Date(Date.now() + 12_600_000).toISOString().slice(0, 16)}:00Z`;
  const changed = await scene.grader.patch(`${grading}/quizzes/${scene.itemId}`, { closes_at: closesAt });
  if (changed.status !== 200) throw new Error(`the closing time was answered with ${changed.status}`);
  return { ...scene, closesAt };
}

const exact = (closesAt: string, language: string, timeZone: string) =>
  new Intl.DateTimeFormat(language, {
    ...({ year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const),
    ...{ timeZone, timeZoneName: 'short' },
  }).format(new Date(closesAt));

const timeOf = (page: Page, closesAt: string) =>
  page.locator(`time[datetime="${closesAt.replace('Z', '.000Z')}"]`).first();
const spaces = (text: string | null) => text?.replace(/\s/gu, ' ');

describe.each([
  { language: 'en', text: 'in 3 hours' },
  { language: 'ar', text: 'خلال 3 ساعات' },
] as const)('a relative time: $language', ({ language, text }) => {
  test('the exact time, with its zone, appears on hover and on keyboard focus', async () => {
    const scene = await newScene();
    const { page } = await openAs(scene.grader, `/courses/${scene.courseId}`, { language });
    const button = timeOf(page, scene.closesAt).getByRole('button', { name: text });
    const tooltip = page.getByRole('tooltip');
    await button.hover();
    await expect
      .poll(async () => spaces(await tooltip.textContent()))
      .toBe(spaces(exact(scene.closesAt, language, 'UTC')));
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'detached' });
    await page.mouse.move(0, 0);

    await page.getByRole('link', { name: scene.title }).focus();
    await page.keyboard.press('Tab');
    await tooltip.waitFor();
    expect(await button.getAttribute('aria-describedby')).toBe(await tooltip.getAttribute('id'));
    await page.keyboard.press('Tab');
    await tooltip.waitFor({ state: 'detached' });
  });
});

test("relative times are by the server's clock, whatever the device's clock shows", async () => {
  const scene = await newScene();
  const { page } = await openAs(scene.grader, '/login');
  await page.addInitScript('{ const real = Date.now; Date.now = () => real() + 86_400_000; }');
  await page.goto('/courses');
  await timeOf(page, scene.closesAt).getByText('in 3 hours', { exact: true }).waitFor();
});

test('a device that may have slept shows the exact time', async () => {
  const scene = await newScene();
  const { page } = await openAs(scene.grader, `/courses/${scene.courseId}`);
  await timeOf(page, scene.closesAt).getByRole('button').waitFor();
  await page.evaluate('{ const real = Date.now; Date.now = () => real() + 600_000; }');
  await expect
    .poll(() => timeOf(page, scene.closesAt).getByRole('button').count(), { timeout: 30_000 })
    .toBe(0);
  expect(spaces(await timeOf(page, scene.closesAt).textContent())).toBe(
    spaces(exact(scene.closesAt, 'en', 'UTC')),
  );
});

test('on paper, times are exact', async () => {
  const scene = await newScene();
  const { page } = await openAs(scene.grader, `/courses/${scene.courseId}`);
  const time = timeOf(page, scene.closesAt);
  await time.getByRole('button').waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(spaces(await time.innerText())).toBe(spaces(exact(scene.closesAt, 'en', 'UTC')));
});
