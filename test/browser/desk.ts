import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { colorOf, type GradingScene } from './gradingScene.ts';
import type { Window } from './openWindow.ts';

/** The parts of the desk, located by their accessible names. */
export interface Desk {
  student: Locator;
  sheet: Locator;
  form: Locator;
  grade: Locator;
  comment: Locator;
  status: Locator;
  save: Locator;
  item(text: string): Locator;
}

export function deskOf({ page, t }: Window, tab: Page = page): Desk {
  const form = tab.getByRole('form', { name: t('Grade') });
  return {
    student: tab.getByRole('complementary', { name: t('Grading') }).getByRole('heading', { level: 1 }),
    sheet: tab.getByRole('region', { name: t('Answer sheet') }),
    form,
    grade: form.getByRole('spinbutton', { name: t('Grade'), exact: true }),
    comment: form.getByRole('textbox', { name: t('Comment'), exact: true }),
    status: tab.getByRole('status').first(),
    save: form.getByRole('button', { name: t('Save'), exact: true }),
    item: (text) => form.getByRole('checkbox', { name: text }),
  };
}

/** Waits until the desk shows a student: the name, the form and the first page. */
export async function waitForStudent(
  page: Page,
  desk: Desk,
  scene: GradingScene,
  position: number,
): Promise<void> {
  await expect.poll(() => desk.student.textContent()).toBe(scene.submissions[position]?.studentName);
  await expect.poll(() => shownColor(page)).toEqual(colorOf(position));
}

/** Returns the colour in the middle of the first page; null until it is rendered. */
export const shownColor = (page: Page): Promise<number[] | null> => colorAt(page, 1, 0.5, 0.5);

/** Returns the displayed colour at a position from 0,0 (upper left) to 1,1; null until the page is rendered. */
export const colorAt = (page: Page, number: number, x: number, y: number): Promise<number[] | null> =>
  page.evaluate(
    ([number, x, y]) => {
      // The neighbours of the visible sheet are also in the document, but hidden.
      const shown = [...document.querySelectorAll(`[data-page="${number}"]`)].find((each) =>
        each.checkVisibility(),
      );
      const canvas = shown?.querySelector('canvas');
      const copy = new OffscreenCanvas(1, 1).getContext('2d');
      if (!canvas?.width || !copy) return null;
      copy.drawImage(canvas, canvas.width * x, canvas.height * y, 1, 1, 0, 0, 1, 1);
      return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3);
    },
    [number, x, y] as const,
  );

/** Waits until all responses have been rendered, to check that something does not change. */
export const nextFrames = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
