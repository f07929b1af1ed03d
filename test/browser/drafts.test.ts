import { expect, test } from 'vitest';
import { deskOf, waitForStudent } from './desk.ts';
import { newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';

const anything = /./;

test('a draft survives a reload and belongs only to its submission', async () => {
  const scene = await newGradingScene();
  const window = await openAs(scene.grader, scene.deskPath(0));
  const { page } = window;
  const desk = deskOf(window);
  await waitForStudent(page, desk, scene, 0);
  await desk.item('The example is not a group.').check();
  await desk.comment.fill('Half a thought');
  await page.getByRole('button', { name: 'Check' }).click();
  await desk.sheet.getByRole('group', { name: 'Marks on page 1' }).click({ position: { x: 80, y: 80 } });
  await desk.sheet.getByRole('img', { name: 'Check' }).waitFor();
  await page.reload();
  await waitForStudent(page, desk, scene, 0);
  expect(await desk.item('The example is not a group.').isChecked()).toBe(true);
  expect(await desk.comment.inputValue()).toBe('Half a thought');
  expect(await desk.grade.inputValue()).toBe('7');
  expect(await desk.sheet.getByRole('img', { name: 'Check' }).count()).toBe(1);

  await page.goto(scene.deskPath(1));
  await waitForStudent(page, desk, scene, 1);
  expect(await desk.comment.inputValue()).toBe('');
  expect(await desk.sheet.getByRole('img', { name: 'Check' }).count()).toBe(0);
  for (const { id } of scene.submissions) expect((await scene.detail(id)).grade).toBeNull();
});

test('drafts are kept while offline, and saving resumes automatically when the network is back', async () => {
  const scene = await newGradingScene({ lastNames: ['Abel', 'Banach', 'Cauchy'] });
  const window = await openAs(scene.grader, scene.deskPath(0));
  const { page, context, watch } = window;
  watch.expectFailure('no response', anything);
  const desk = deskOf(window);
  await waitForStudent(page, desk, scene, 0);
  // The next sheet is prepared once its file has arrived.
  const filesRead = () =>
    page.evaluate(
      () => performance.getEntriesByType('resource').filter(({ name }) => /\/files\//.test(name)).length,
    );
  await expect.poll(filesRead).toBe(2);
  await context.setOffline(true);
  await page.keyboard.press('1');
  await page.keyboard.press('n');
  // The next sheet was prepared, so it can also be graded without a network.
  await waitForStudent(page, desk, scene, 1);
  await expect.poll(() => desk.status.textContent()).toContain('Not saved yet');
  await page.keyboard.press('2');
  await page.keyboard.press('n');
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => /draft/.test(key)).length))
    .toBe(2);
  await context.setOffline(false);
  await expect.poll(() => desk.status.textContent()).toContain('Saved');
  await expect
    .poll(async () =>
      (await Promise.all(scene.submissions.map(({ id }) => scene.detail(id)))).map(({ grade }) => grade),
    )
    .toEqual([9, 7, null]);
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => /draft/.test(key))))
    .toEqual([]);
});
