import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PlainPage, plainPdf } from '@gradeway/test/plainPdf';
import { boundsOf, isColored, renderWithPoppler } from '@gradeway/test/renderedPage';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { deskOf } from './desk.ts';
import { newGradingScene } from './gradingScene.ts';
import { openAs } from './openWindow.ts';

/** Every rotation of a page, with a visible area whose origin differs from the page's. */
const shapes: PlainPage[] = ([0, 90, 180, 270] as const).flatMap((rotate) => [
  { rotate, mediaBox: [0, 0, 400, 600] },
  { rotate, mediaBox: [0, 0, 400, 600], cropBox: [50, 80, 350, 560] },
  { rotate, mediaBox: [-30, 40, 370, 640], cropBox: [0, 100, 340, 600] },
  { rotate, mediaBox: [-10, -10, 410, 610], cropBox: [0, 0, 400, 600] },
]);

/** The positions of the marks, as fractions of the displayed page. */
const place = { x: 0.3, y: 0.2 };

async function pointAt(page: Page, number: number): Promise<void> {
  const paper = page.locator(`[data-page="${number}"]`);
  await paper.scrollIntoViewIfNeeded();
  // The page's actual size is known once it has been rendered.
  await paper.locator('canvas').waitFor();
  const { width = 0, height = 0 } = (await paper.boundingBox()) ?? {};
  await paper.click({ position: { x: width * place.x, y: height * place.y } });
}

test('the annotated PDF has each mark where the grader put it, even on rotated and cropped pages', async () => {
  const file = () => ({ name: 'turned.pdf', bytes: plainPdf(shapes) });
  const scene = await newGradingScene({ lastNames: ['Abel'], file });
  const window = await openAs(scene.grader, scene.deskPath(0));
  const { page } = window;
  await page.locator('[data-page="1"] canvas').waitFor();
  await page.getByRole('button', { name: 'Whole page' }).click();
  await page.getByRole('button', { name: 'Point', exact: true }).click();
  for (const index of shapes.keys()) await pointAt(page, index + 1);
  const desk = deskOf(window);
  await desk.grade.fill('5');
  await desk.save.click();
  await page.getByText('Saved', { exact: true }).waitFor();

  const { annotated_url } = await scene.detail(scene.submissions[0]?.id ?? 0);
  const directory = await mkdtemp(join(tmpdir(), 'gradeway-marks-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'annotated.pdf');
  const answer = await fetch(String(annotated_url));
  await writeFile(path, Buffer.from(await answer.arrayBuffer()));
  for (const [index, shape] of shapes.entries()) {
    const picture = await renderWithPoppler(path, index + 1);
    const bounds = boundsOf(picture, isColored);
    if (!bounds) throw new Error(`no mark on ${JSON.stringify(shape)}`);
    const x = (bounds.left + bounds.right) / 2 / picture.width;
    const y = (bounds.top + bounds.bottom) / 2 / picture.height;
    expect([x.toFixed(1), y.toFixed(1)], JSON.stringify(shape)).toEqual(['0.3', '0.2']);
  }
});
