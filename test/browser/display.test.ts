import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AddressScene, newAddressScene } from './addresses.ts';
import { beyondWindow } from './beyondWindow.ts';
import { openAs } from './openWindow.ts';
import { lookAtAll, visitors, visitorsInBothDirections } from './visits.ts';

let data: AddressScene;
beforeAll(async () => {
  data = await newAddressScene();
});

describe('every address', () => {
  test.for(visitorsInBothDirections)(
    'every page fits a window of 320 px: $language, $visitor',
    async ({ language, visitor }) => {
      expect(await lookAtAll(data, visitor, { language, width: 320, height: 640 }, beyondWindow)).toEqual([]);
    },
  );

  test.for(visitors)('every page is usable at 200 % text size: %s', async (visitor) => {
    const found = await lookAtAll(data, visitor, { largeText: true }, async (page) => [
      ...(await beyondWindow(page)),
      ...(await cutTexts(page)),
    ]);
    expect(found).toEqual([]);
  });

  test.for(visitors)('the focus is visible on every page in forced colours: %s', async (visitor) => {
    expect(await lookAtAll(data, visitor, { forcedColors: true, theme: 'dark' }, unseenFocus)).toEqual([]);
  });

  test.for(visitors)('nothing moves on any page with reduced motion: %s', async (visitor) => {
    expect(await lookAtAll(data, visitor, { reducedMotion: true }, motions)).toEqual([]);
  });
});

test('a truncated name keeps its beginning when its script differs from the script of the page', async () => {
  const { scene, people } = data;
  const { page } = await openAs(people.instructor, scene.deskPath(0), { language: 'ar', width: 360 });
  const title = page.locator('.desk-status .written-line', { hasText: /[a-z]/i });
  expect(await title.evaluate((each) => getComputedStyle(each).direction)).toBe('ltr');
});

test('a page that does not exist links to the start page', async () => {
  const { people } = data;
  const { page } = await openAs(people.student, '/no-such-page');
  await page.getByRole('link', { name: 'Go to the start page' }).click();
  await page.getByRole('heading', { name: 'My work' }).waitFor();
});

/** Returns the names of controls whose text is truncated without an ellipsis. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, label, h1, h2, th, [role="columnheader"], legend')]
      .filter((each) => {
        const { overflowX, overflowY, textOverflow, clipPath } = getComputedStyle(each);
        // Only for screen readers, or hidden until it has the focus.
        if (clipPath !== 'none') return false;
        const isClipped = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
        return (
          (isClipped(overflowX) && textOverflow !== 'ellipsis' && each.scrollWidth > each.clientWidth + 1) ||
          (isClipped(overflowY) && each.clientHeight > 1 && each.scrollHeight > each.clientHeight + 2)
        );
      })
      .map((each) => `“${each.textContent.trim()}” is cut`),
  );

/** Tabs through the page and returns the elements without a visible focus. */
async function unseenFocus(page: Page): Promise<string[]> {
  const unseen: string[] = [];
  let reached = 0;
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
      const isOutlined = (each: Element): boolean => {
        const { outlineStyle, outlineWidth } = getComputedStyle(each);
        return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
      };
      // A link that covers a row outlines the whole row.
      const around = [element, element.parentElement, element.parentElement?.parentElement];
      const isFirst = !element.hasAttribute('data-was-focused');
      element.setAttribute('data-was-focused', '');
      return {
        isFirst,
        name: `${element.tagName.toLowerCase()} “${name.slice(0, 40)}”`,
        isSeen: around.some((each) => each && isOutlined(each)),
      };
    });
    if (!focused?.isFirst) break;
    reached += 1;
    if (!focused.isSeen) unseen.push(`${focused.name} does not show that it has the focus`);
  }
  return reached === 0 ? ['Tab reaches nothing'] : unseen;
}

/** Returns the animations that are long enough to be seen. */
const motions = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const seconds = (durations: string) => Math.max(...durations.split(',').map(Number.parseFloat));
    return [...document.body.querySelectorAll('*')]
      .filter((each) => {
        const { transitionDuration, transitionProperty, animationName, animationDuration } =
          getComputedStyle(each);
        const moves = /all|transform|inset|left|top|width|height|margin/.test(transitionProperty);
        return (
          (moves && seconds(transitionDuration) > 0.01) ||
          (animationName !== 'none' && seconds(animationDuration) > 0.01)
        );
      })
      .map((each) => `${each.tagName.toLowerCase()}.${each.getAttribute('class')} moves`);
  });
