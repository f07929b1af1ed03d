import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AddressScene, addresses, newAddressScene, type Visitor } from './addresses.ts';
import { beyondWindow } from './beyondWindow.ts';
import { type Look, logIn, openWindow } from './openWindow.ts';

let data: AddressScene;
beforeAll(async () => {
  data = await newAddressScene();
});

const visitors = [...new Set(addresses.map(({ visitor }) => visitor))];

/** Opens every address of a visitor, and returns what a look at each finds. */
async function lookAtAll(
  visitor: Visitor,
  look: Look,
  find: (page: Page, path: string) => Promise<string[]>,
): Promise<string[]> {
  const window = await openWindow(look);
  const { page, t, watch } = window;
  if (visitor !== 'nobody') await logIn(window, data.people[visitor]);
  const found: string[] = [];
  for (const { path, ready, refused } of addresses.filter((each) => each.visitor === visitor)) {
    const address = path(data.scene);
    if (refused) watch.allowFailure(...refused);
    await page.goto(address);
    await ready(page, t, data.scene);
    for (const each of await find(page, address)) found.push(`${address}: ${each}`);
  }
  return found;
}

async function violations(page: Page): Promise<string[]> {
  // A colour on its way to another is neither.
  await page.waitForFunction(() => document.getAnimations().length === 0);
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id} at ${target.join(' ')} · ${failureSummary?.split('\n')[1]?.trim()}`,
    ),
  );
}

const cases = (['en', 'ar'] as const).flatMap((language) =>
  visitors.map((visitor) => ({ language, visitor })),
);

const themedCases = cases.flatMap((each) =>
  (['light', 'dark'] as const).map((theme) => ({ ...each, theme })),
);

describe('every address', () => {
  test.for(themedCases)(
    'has no violation that axe finds: $language, $theme, $visitor',
    async ({ language, theme, visitor }) => {
      expect(await lookAtAll(visitor, { language, theme }, violations)).toEqual([]);
    },
  );

  test.for(cases)('fits a window of 320 px: $language, $visitor', async ({ language, visitor }) => {
    expect(await lookAtAll(visitor, { language, width: 320, height: 640 }, beyondWindow)).toEqual([]);
  });

  test.for(visitors)('is whole with text of twice the size: %s', async (visitor) => {
    const found = await lookAtAll(visitor, { largeText: true }, async (page) => [
      ...(await beyondWindow(page)),
      ...(await cutTexts(page)),
    ]);
    expect(found).toEqual([]);
  });

  test.for(visitors)('shows in forced colours where the focus is: %s', async (visitor) => {
    expect(await lookAtAll(visitor, { forcedColors: true, theme: 'dark' }, unseenFocus)).toEqual([]);
  });

  test.for(visitors)('moves nothing for people who want less motion: %s', async (visitor) => {
    expect(await lookAtAll(visitor, { reducedMotion: true }, motions)).toEqual([]);
  });
});

/** Names of controls that are cut off, where nothing says that something is missing. */
const cutTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, a, label, h1, h2, th, [role="columnheader"], legend')]
      .filter((each) => {
        const { overflowX, overflowY, textOverflow, clipPath } = getComputedStyle(each);
        // For screen readers, or until it has the focus.
        if (clipPath !== 'none') return false;
        const isClipped = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
        return (
          (isClipped(overflowX) && textOverflow !== 'ellipsis' && each.scrollWidth > each.clientWidth + 1) ||
          (isClipped(overflowY) && each.clientHeight > 1 && each.scrollHeight > each.clientHeight + 2)
        );
      })
      .map((each) => `“${each.textContent.trim()}” is cut`),
  );

/** Walks through the page by Tab, and returns what does not show that it has the focus. */
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
      // A link that is a whole row outlines the row.
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

/** What moves for longer than an eye sees. */
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
