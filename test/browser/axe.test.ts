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

// A theme at a time: the addresses of an administrator in both take too long for one test on a busy machine.
const looks = visitorsInBothDirections.flatMap((each) =>
  (['light', 'dark'] as const).map((theme) => ({ ...each, theme })),
);

describe('every address', () => {
  test.for(looks)(
    'has no violation that axe finds: $language, $theme, $visitor',
    async ({ language, theme, visitor }) => {
      expect(await lookAtAll(data, visitor, { language, theme }, violations)).toEqual([]);
    },
  );
});
