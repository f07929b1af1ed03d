import type { Response } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { deskOf, nextFrames, shownColor, waitForStudent } from './desk.ts';
import { colorOf, type GradingScene, newGradingScene } from './gradingScene.ts';
import { holdResponses } from './heldResponses.ts';
import { openAs } from './openWindow.ts';

const lastNames = ['Abel', 'Banach', 'Cauchy', 'Dirac'];
const savePath = /^\/api\/v3\/grading\/quizzes\/submissions\/\d+$/;
const nextPath = /\/next$/;

const gradesOf = (scene: GradingScene) =>
  Promise.all(scene.submissions.map(async ({ id }) => (await scene.detail(id)).grade));

describe('with slow answers', () => {
  test('each grade is saved for the student that the grader saw, in whatever order the responses arrive', async () => {
    const scene = await newGradingScene({ lastNames });
    const window = await openAs(scene.grader, scene.deskPath(0));
    const { page } = window;
    const desk = deskOf(window);
    const saves = await holdResponses(page, 'PUT', savePath);
    for (const [position, key] of ['1', '2', 'q'].entries()) {
      await waitForStudent(page, desk, scene, position);
      await page.keyboard.press(key);
      await page.keyboard.press('n');
    }
    await waitForStudent(page, desk, scene, 3);
    await expect.poll(() => saves.waiting.length).toBe(3);
    for (const place of [2, 0, 0]) await saves.release(place);
    await expect.poll(() => desk.status.textContent()).toContain('Saved');
    await saves.releaseAll();
    expect(await gradesOf(scene)).toEqual([9, 7, 7.5, null]);
    // The responses have not changed the form that was opened in the meantime.
    expect(await desk.grade.inputValue()).toBe('10');
    for (const each of await desk.form.getByRole('checkbox').all())
      expect(await each.isChecked()).toBe(false);
  });

  test('keys pressed before the next sheet arrives apply to the sheet on the screen', async () => {
    const scene = await newGradingScene({ lastNames });
    const window = await openAs(scene.grader, '/grading');
    const { page } = window;
    const desk = deskOf(window);
    const next = await holdResponses(page, 'POST', nextPath);
    await page.goto(scene.deskPath(0));
    await waitForStudent(page, desk, scene, 0);
    for (const key of ['1', 'n', 'n', 'n', '2', 'n', 'n', 'q', 'n', 'n']) await page.keyboard.press(key);
    await expect.poll(() => gradesOf(scene)).toEqual([3.5, null, null, null]);
    await next.releaseAll();
    await waitForStudent(page, desk, scene, 1);
    await expect.poll(() => desk.status.textContent()).toContain('Saved');
    expect(await desk.grade.inputValue()).toBe('10');
    expect(await gradesOf(scene)).toEqual([3.5, null, null, null]);
  });

  test('a grader who goes back while the next sheet is loading stays on that page when it arrives', async () => {
    const scene = await newGradingScene({ lastNames });
    const window = await openAs(scene.grader, '/grading');
    const { page } = window;
    const desk = deskOf(window);
    const isNext = (answer: Response) => nextPath.test(new URL(answer.url()).pathname);
    const prepared = page.waitForResponse(isNext);
    await page.goto(scene.deskPath(0));
    await waitForStudent(page, desk, scene, 0);
    await prepared;
    const next = await holdResponses(page, 'POST', nextPath);
    for (const key of ['1', 'n']) await page.keyboard.press(key);
    await waitForStudent(page, desk, scene, 1);
    for (const key of ['2', 'n', 'k']) await page.keyboard.press(key);
    await waitForStudent(page, desk, scene, 0);
    const arrived = page.waitForResponse(isNext);
    await next.releaseAll();
    await (await arrived).finished();
    await expect.poll(() => desk.status.textContent()).toContain('Saved');
    await nextFrames(page);
    expect(await desk.student.textContent()).toBe('Ada Abel');
    for (const key of ['q', 'n']) await page.keyboard.press(key);
    await waitForStudent(page, desk, scene, 2);
    await expect.poll(() => gradesOf(scene)).toEqual([6.5, 7, null, null]);
  });

  test('"n" saves once, however often it is pressed while the response is pending', async () => {
    const scene = await newGradingScene({ lastNames: ['Abel'] });
    const window = await openAs(scene.grader, scene.deskPath(0));
    const { page } = window;
    await waitForStudent(page, deskOf(window), scene, 0);
    const saves = await holdResponses(page, 'PUT', savePath);
    for (const key of ['1', 'n', 'n', 'n']) await page.keyboard.press(key);
    await expect.poll(() => saves.waiting.length).toBeGreaterThan(0);
    await saves.releaseAll();
    await expect.poll(() => deskOf(window).status.textContent()).toContain('Saved');
    const { id } = scene.submissions[0] ?? { id: 0 };
    const { data } = (await scene.grader.get(`/api/v3/grading/quizzes/submissions/${id}/history`)).body;
    expect(data.map(({ grade }: { grade: number }) => grade)).toEqual([9]);
  });

  test('a sheet that arrives late never replaces another sheet', async () => {
    const scene = await newGradingScene({ lastNames });
    const window = await openAs(scene.grader, `${scene.path}?status=all`);
    const { page } = window;
    const desk = deskOf(window);
    const [, second] = scene.submissions;
    const [file] = (await scene.detail(second?.id ?? 0)).files as { url: string }[];
    const late = await holdResponses(page, 'GET', new RegExp(new URL(file?.url ?? '').pathname));
    await page.getByRole('link', { name: 'Ada Abel' }).click();
    await waitForStudent(page, desk, scene, 0);
    await page.keyboard.press('j');
    await expect.poll(() => desk.student.textContent()).toBe('Ada Banach');
    // The previous student's page is not shown while this student's is loading.
    expect(await shownColor(page)).toBeNull();
    await page.keyboard.press('j');
    await waitForStudent(page, desk, scene, 2);
    await late.releaseAll();
    await nextFrames(page);
    expect(await shownColor(page)).toEqual(colorOf(2));
    await page.keyboard.press('k');
    await waitForStudent(page, desk, scene, 1);
  });

  test('a submission that arrives late does not replace one that was opened after it', async () => {
    const scene = await newGradingScene({ lastNames });
    const window = await openAs(scene.grader, `${scene.path}?status=all`);
    const { page } = window;
    const [first, second] = scene.submissions;
    const late = await holdResponses(page, 'GET', new RegExp(`/submissions/${second?.id}$`));
    await page.getByRole('link', { name: 'Ada Banach' }).click();
    await expect.poll(() => late.waiting.length).toBe(1);
    await page.goBack();
    await page.getByRole('link', { name: 'Ada Abel' }).click();
    await waitForStudent(page, deskOf(window), scene, 0);
    await late.releaseAll();
    await nextFrames(page);
    expect(await deskOf(window).student.textContent()).toBe('Ada Abel');
    expect(new URL(page.url()).pathname).toContain(`/submissions/${first?.id}`);
  });
});
