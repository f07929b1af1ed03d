import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { beyondWindow } from './beyondWindow.ts';
import { generateQueue } from './generatedQueue.ts';
import { newGradingScene } from './gradingScene.ts';
import { logIn, openAs, openWindow } from './openWindow.ts';

const newEmptyScene = () => newGradingScene({ lastNames: [], rubric: [] });

async function openTable(
  ...generated: Parameters<typeof generateQueue> extends [Page, unknown, ...infer Rest] ? Rest : never
) {
  const scene = await newEmptyScene();
  const window = await openWindow();
  const queue = await generateQueue(window.page, scene, ...generated);
  await logIn(window, scene.grader, `${scene.path}?status=all`);
  const table = window.page.getByRole('table', { name: 'Submissions' });
  return { ...window, scene, queue, table, rows: table.getByRole('row') };
}

describe('the table of submissions', () => {
  test('the table of submissions prints all rows and nothing else', async () => {
    const { page, rows } = await openTable(180);
    await page.getByRole('link', { name: 'Student 000001' }).waitFor();
    await expect.poll(() => rows.count()).toBeLessThan(60);
    await page.emulateMedia({ media: 'print' });
    // The header is also a row.
    await expect.poll(() => rows.count()).toBe(181);
    await page.getByRole('link', { name: 'Student 000180' }).waitFor();
    expect(await page.getByRole('banner').isVisible()).toBe(false);
  });

  test('a table of 100,000 submissions renders only the visible rows and loads only the pages that were visible', async () => {
    const { page, queue, rows, table } = await openTable(100_000);
    await page.getByRole('link', { name: 'Student 000001' }).waitFor();
    await page.getByText('0 of 100000').waitFor();
    const most = 60;
    for (let passed = 0; passed < 25; passed += 1) {
      expect(await rows.count()).toBeLessThan(most);
      const pages = queue.pagesRead.length;
      // The page grows with each response.
      const scroll = () => page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
      await expect
        .poll(async () => {
          await scroll();
          return queue.pagesRead.length;
        })
        .toBeGreaterThan(pages);
    }
    expect(queue.pagesRead).toEqual(
      Array.from({ length: queue.pagesRead.length }, (_, index) => index * 200),
    );
    expect(queue.pagesRead.length).toBeLessThan(40);
    const index = Number(await rows.last().getAttribute('aria-rowindex'));
    expect(index).toBeGreaterThan(4_000);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole('link', { name: 'Student 000001' }).waitFor();
    // The total is known only at the end of the list.
    expect(await table.getAttribute('aria-rowcount')).toBe('-1');
    expect(await rows.count()).toBeLessThan(most);
  });

  test("the table of submissions names a row's grade, grader, claim and flags", async () => {
    const { rows } = await openTable(3, (position) =>
      position === 0
        ? { status: 'graded', flags: ['start_mismatch'] }
        : position === 1
          ? { claimedBy: 'Sofya Kovalevskaya' }
          : { flags: ['no_recorded_start'] },
    );
    await expect.poll(() => rows.count()).toBe(4);
    const text = async (index: number) => (await rows.nth(index).getByRole('cell').allInnerTexts()).slice(2);
    expect(await text(1)).toEqual([
      'Graded',
      '7.25 / 10',
      'Emmy Noether',
      'The claimed start differs from the recorded start.',
    ]);
    expect(await text(2)).toEqual(['Being graded', '–', 'Sofya Kovalevskaya', '–']);
    expect(await text(3)).toEqual(['Ungraded', '–', '–', 'The start was not recorded.']);
  });

  test('the table of submissions keeps its layout with the longest names', async () => {
    const { page, rows } = await openTable(2, () => ({
      name: 'W'.repeat(255),
      email: `${'m'.repeat(240)}@a.example`,
    }));
    await expect.poll(() => rows.count()).toBe(3);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await beyondWindow(page)).toEqual([]);
      const { height = 0 } = (await rows.nth(1).boundingBox()) ?? {};
      expect(height).toBe(64);
    }
  });

  test('an empty table of submissions explains why it is empty', async () => {
    const { page, scene } = await openTable(0);
    await page.getByRole('heading', { name: 'No submissions yet' }).waitFor();
    for (const [query, said] of [
      ['', 'No submissions yet'],
      ['?status=graded', 'Nothing graded yet'],
      ['?search=abel', 'No one found'],
    ]) {
      await page.goto(`${scene.path}${query}`);
      await page.getByRole('heading', { name: said }).waitFor();
    }
  });

  test('the table of submissions shows that it is loading, then that it failed, and loads on retry', async () => {
    const scene = await newEmptyScene();
    const { page, watch } = await openAs(scene.grader, '/grading');
    watch.expectFailure(503, /\/submissions/);
    let answer = () => {};
    const waiting = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const path = `/api/v3/grading/quizzes/${scene.itemId}/submissions`;
    await page.route(
      (url) => url.pathname === path,
      async (route) => {
        await waiting;
        await route.fulfill({ status: 503, json: { message: 'Service Unavailable', errors: null } });
      },
    );
    await page.goto(scene.path);
    await page.getByText('Loading…').waitFor();
    answer();
    await page.getByRole('heading', { name: 'This part of the school is not responding' }).waitFor();
    await generateQueue(page, scene, 1);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('link', { name: 'Student 000001' }).waitFor();
  });
});
