import { plainPdf } from '@gradeway/test/plainPdf';
import { samplePdf } from '@gradeway/test/samplePdf';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { colorAt, deskOf } from './desk.ts';
import { createFixtures, newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';
import { violations } from './violations.ts';

const red = [255, 0, 0];
const blue = [0, 0, 255];

const showPage = (page: Page, number: number) =>
  page.locator(`[data-page="${number}"]`).evaluate((element) => element.scrollIntoView());

const corners = {
  upperLeft: [0.1, 0.1],
  upperRight: [0.9, 0.1],
  lowerRight: [0.9, 0.9],
  lowerLeft: [0.1, 0.9],
} as const;

async function redCornerOf(page: Page, number: number): Promise<string> {
  await showPage(page, number);
  await expect.poll(() => colorAt(page, number, 0.5, 0.5)).toEqual(blue);
  const found: string[] = [];
  for (const [name, [x, y]] of Object.entries(corners))
    if (String(await colorAt(page, number, x, y)) === String(red)) found.push(name);
  return found.join();
}

/** A blue box with red in its lower left fifth. */
const markedBox = (left: number, bottom: number, width: number, height: number) =>
  `0 0 1 rg ${left} ${bottom} ${width} ${height} re f 1 0 0 rg ${left} ${bottom} ${width / 5} ${height / 5} re f`;

async function openSheet(bytes: Buffer) {
  const scene = await newGradingScene({ lastNames: ['Abel'], file: () => ({ name: 'answers.pdf', bytes }) });
  const window = await openAs(scene.grader, scene.deskPath(0));
  return { ...window, scene, desk: deskOf(window) };
}

/** Whether there is black between two heights above the lower edge of a page of 842 points. */
const hasInk = (page: Page, [from, to]: [number, number]): Promise<boolean> =>
  page.locator('[data-page="1"] canvas').evaluate(
    (element, [top, height]) => {
      const { width, height: whole } = element as HTMLCanvasElement;
      const context = (element as HTMLCanvasElement).getContext('2d');
      const { data } = context?.getImageData(0, top * whole, width, height * whole) ?? { data: [] };
      for (let at = 0; at < data.length; at += 4)
        if ((data[at] ?? 0) + (data[at + 1] ?? 0) + (data[at + 2] ?? 0) < 200) return true;
      return false;
    },
    [1 - to / 842, (to - from) / 842] as const,
  );

describe('a sheet', () => {
  test.each([
    ['the values of its form', 'form_without_appearance', [500, 530], true],
    ['no layer that is hidden at first', 'hidden_layer', [640, 690], false],
  ] as const)('a sheet shows %s', async (_, name, heights, isShown) => {
    const { page } = await openSheet(await samplePdf(name));
    await expect.poll(() => hasInk(page, [730, 770])).toBe(true);
    expect(await hasInk(page, [...heights])).toBe(isShown);
  });

  test("a sheet shows the text of a student's note when its icon is opened", async () => {
    const { page, desk } = await openSheet(await samplePdf('sticky_note'));
    await desk.sheet.getByLabel('Note of the student').click();
    await desk.sheet.getByText('My answer to 3 is in this note').waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('each page of a sheet is shown with its own rotation', async () => {
    const content = markedBox(0, 0, 595, 842);
    const { page } = await openSheet(
      plainPdf(([0, 90, 180, 270] as const).map((rotate) => ({ content, rotate }))),
    );
    const found: string[] = [];
    for (const number of [1, 2, 3, 4]) found.push(await redCornerOf(page, number));
    expect(found).toEqual(['lowerLeft', 'upperLeft', 'upperRight', 'lowerRight']);
    const { width = 0, height = 0 } = (await page.locator('[data-page="2"]').boundingBox()) ?? {};
    expect(width / height).toBeCloseTo(842 / 595, 1);
  });

  test('a sheet can be rotated further by hand', async () => {
    const { page, desk } = await openSheet(plainPdf([{ content: markedBox(0, 0, 595, 842) }]));
    expect(await redCornerOf(page, 1)).toBe('lowerLeft');
    await desk.sheet.getByRole('button', { name: 'Rotate' }).click();
    await expect.poll(() => redCornerOf(page, 1)).toBe('upperLeft');
  });

  test('a sheet shows the area of its CropBox, wherever its MediaBox starts', async () => {
    const content = `0 1 0 rg -100 -100 900 1100 re f ${markedBox(100, 200, 300, 500)}`;
    const cropBox = [100, 200, 400, 700] as const;
    const { page } = await openSheet(
      plainPdf([
        { content, cropBox },
        { content, cropBox, mediaBox: [50, 60, 645, 902] },
      ]),
    );
    for (const number of [1, 2]) {
      expect(await redCornerOf(page, number)).toBe('lowerLeft');
      const { width = 0, height = 0 } = (await page.locator(`[data-page="${number}"]`).boundingBox()) ?? {};
      expect(width / height).toBeCloseTo(3 / 5, 2);
    }
  });

  test('a sheet shows text without adding the fonts of its file to the browser', async () => {
    // The stem of the letter covers the middle of the page.
    const content = '0 0 1 rg BT /F1 2000 Tf 75 -200 Td (l) Tj ET';
    const { page } = await openSheet(plainPdf([{ content }]));
    await expect.poll(() => colorAt(page, 1, 0.5, 0.5)).toEqual(blue);
    expect(await colorAt(page, 1, 0.1, 0.5)).toEqual([255, 255, 255]);
    const families = await page.evaluate(() => [...document.fonts].map(({ family }) => family));
    // pdf.js names fonts "g_d0_f1".
    expect(families.filter((family) => family.includes('g_d'))).toEqual([]);
  });

  test('a sheet of sixty pages renders only the visible ones and releases the others', async () => {
    const pages = Array.from({ length: 60 }, () => ({ content: markedBox(0, 0, 595, 842) }));
    const { page, desk } = await openSheet(plainPdf(pages));
    await expect.poll(() => page.locator('[data-page]').count()).toBe(60);
    const drawn = desk.sheet.locator('canvas');
    for (const number of [1, 20, 40, 60]) {
      expect(await redCornerOf(page, number)).toBe('lowerLeft');
      expect(await drawn.count()).toBeLessThan(10);
    }
    await page.keyboard.press('[');
    await expect.poll(() => colorAt(page, 59, 0.5, 0.5)).toEqual(blue);
  });

  test('a sheet with a damaged page shows the pages before it', async () => {
    const scene = await newGradingScene({ lastNames: ['Abel'] });
    const { page } = await openAs(scene.grader, '/grading');
    const content = markedBox(0, 0, 595, 842);
    const body = plainPdf([{ content }, { content }, {}], { damagedPage: 2 });
    await page.route(/\/files\//, (route) => route.fulfill({ contentType: 'application/pdf', body }));
    await page.goto(scene.deskPath(0));
    for (const number of [1, 2]) expect(await redCornerOf(page, number)).toBe('lowerLeft');
  });

  test('a sheet that the service cannot send shows an error, and appears on retry', async () => {
    const scene = await newGradingScene({ lastNames: ['Abel'] });
    const { page, watch } = await openAs(scene.grader, '/grading');
    watch.allowFailure(503, /\/files\//);
    await page.route(/\/files\//, (route) =>
      route.fulfill({ status: 503, json: { message: 'Service Unavailable' } }),
    );
    await page.goto(scene.deskPath(0));
    await page.getByRole('heading', { name: 'This part of the school is not responding' }).waitFor();
    await page.unroute(/\/files\//);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('[data-page="1"] canvas').waitFor();
  });

  test('a sheet whose file is lost shows an error', async () => {
    const scene = await newGradingScene({ lastNames: ['Abel'] });
    const { page, watch } = await openAs(scene.grader, '/grading');
    watch.allowFailure(404, /\/files\//);
    await page.route(/\/files\//, (route) => route.fulfill({ status: 404, json: { message: 'Not Found' } }));
    await page.goto(scene.deskPath(0));
    await page.getByRole('heading', { name: 'This file no longer exists' }).waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  test('a sheet whose file was removed shows an error, and the submission can still be graded', async () => {
    const scene = await newGradingScene({ kind: 'homeworks', lastNames: ['Abel'] });
    const [submission] = scene.submissions;
    const [file] = (await scene.detail(submission?.id ?? 0)).files as { id: number }[];
    const admin = await createFixtures().asAdmin();
    const removed = await admin.delete(
      `/api/v3/admin/homeworks/submissions/${submission?.id}/files/${file?.id}`,
    );
    expect(removed.status).toBe(204);
    const window = await openAs(scene.grader, scene.deskPath(0));
    const desk = deskOf(window);
    await desk.sheet.getByRole('heading', { name: 'There is no file' }).waitFor();
    await window.page.keyboard.press('2');
    await desk.save.click();
    await expect.poll(() => desk.status.textContent()).toContain('Saved');
    expect((await scene.detail(submission?.id ?? 0)).grade).toBe(7);
  });
});
