import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addresses, newAddressScene, type Visitor } from './addresses.ts';
import { nextFrames } from './desk.ts';
import { holdResponses } from './heldResponses.ts';
import { logIn, openWindow } from './openWindow.ts';

const people = ['instructor', 'student', 'admin'] satisfies Visitor[];
const orders = ['oldest', 'newest'] as const;

test.for(people.flatMap((visitor) => orders.map((order) => ({ visitor, order }))))(
  'every heading, link and button has a name while responses arrive, the $order first: $visitor',
  async ({ visitor, order }) => {
    const data = await newAddressScene();
    const window = await openWindow();
    const { page, watch } = window;
    await logIn(window, data.people[visitor]);
    const found: string[] = [];
    for (const { path, ready, refused } of addresses.filter((each) => each.visitor === visitor)) {
      const address = path(data.scene);
      if (refused) watch.allowFailure(...refused);
      const held = await holdResponses(page, 'GET', /^\/api\/v3\//);
      await page.goto(address);
      const look = async () => {
        await nextFrames(page);
        for (const each of await nameless(page)) found.push(`${address}: ${each}`);
      };
      let isReady = false;
      const shown = ready(page, window.t, data.scene).then(() => {
        isReady = true;
      });
      const answerAll = async () => {
        while (!isReady || held.waiting.length > 0) {
          await look();
          await held.release(order === 'oldest' ? 0 : held.waiting.length - 1);
        }
      };
      await Promise.all([shown, answerAll()]);
      await look();
      await page.unrouteAll();
    }
    expect([...new Set(found)].join('\n')).toBe('');
  },
);

/** Returns the headings, links and buttons without an accessible name. */
const nameless = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const nameOf = (element: Element): string => {
      const ids = element.getAttribute('aria-labelledby')?.split(' ') ?? [];
      const labels = ids.map((id) => document.getElementById(id)?.textContent ?? '');
      const images = [...element.querySelectorAll('img')].map((each) => each.alt);
      return [element.ariaLabel, element.textContent, ...labels, ...images].join('').trim();
    };
    return [...document.querySelectorAll('h1, h2, h3, a[href], button')]
      .filter((each) => each.checkVisibility() && nameOf(each) === '')
      .map((each) => each.outerHTML.slice(0, 200));
  });
