import type { Page } from 'playwright-core';
import { type AddressScene, addresses, type Visitor } from './addresses.ts';
import { type Look, logIn, openWindow } from './openWindow.ts';

export const visitors = [...new Set(addresses.map(({ visitor }) => visitor))];

export const visitorsInBothDirections = (['en', 'ar'] as const).flatMap((language) =>
  visitors.map((visitor) => ({ language, visitor })),
);

/** Opens every path of a visitor and returns what `find` finds on each. */
export async function lookAtAll(
  data: AddressScene,
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
