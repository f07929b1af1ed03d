import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AddressScene, newAddressScene } from './addresses.ts';
import { lookAtAll, visitorsInBothDirections } from './visits.ts';

let data: AddressScene;
beforeAll(async () => {
  data = await newAddressScene();
});

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

describe('every address', () => {
  test.for(visitorsInBothDirections)(
    'has no violation that axe finds, in both themes: $language, $visitor',
    async ({ language, visitor }) => {
      const found = await lookAtAll(data, visitor, { language }, async (page) => {
        const light = await violations(page);
        await page.emulateMedia({ colorScheme: 'dark' });
        const dark = await violations(page);
        await page.emulateMedia({ colorScheme: 'light' });
        return [...light.map((each) => `light: ${each}`), ...dark.map((each) => `dark: ${each}`)];
      });
      expect(found).toEqual([]);
    },
  );
});
