import { expect, test } from 'vitest';
import { newGradingScene } from './gradingScene.ts';
import { logIn, openWindow } from './openWindow.ts';

test('a search for submissions persists until something else is typed', async () => {
  const scene = await newGradingScene({ rubric: [] });
  const window = await openWindow();
  const { page } = window;
  await page.clock.install();
  await logIn(window, scene.grader, scene.path);
  const links = page.getByRole('table', { name: 'Submissions' }).getByRole('link');
  await expect.poll(() => links.allInnerTexts()).toEqual(['Ada Abel', 'Ada Banach']);
  await page.getByRole('searchbox', { name: 'Search' }).fill('Banach');
  await page.clock.fastForward(1_000);
  await page.waitForURL('**?search=Banach');
  await expect.poll(() => links.allInnerTexts()).toEqual(['Ada Banach']);

  const later: string[] = [];
  page.on('framenavigated', (frame) => later.push(frame.url()));
  for (let pause = 0; pause < 3; pause += 1) await page.clock.fastForward(1_000);
  await links.first().click();
  await page.getByRole('heading', { level: 1, name: 'Ada Banach' }).waitFor();
  expect(later.map((url) => new URL(url).pathname)).toEqual([scene.deskPath(1)]);
});
