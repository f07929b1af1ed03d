import { beforeAll, describe, expect, test } from 'vitest';
import { type AddressScene, newAddressScene } from './addresses.ts';
import { violations } from './violations.ts';
import { lookAtAll, visitorsInBothDirections } from './visits.ts';

let data: AddressScene;
beforeAll(async () => {
  data = await newAddressScene();
});

describe('every address', () => {
  test.for(visitorsInBothDirections)(
    'axe finds no violation on any page, in the light or dark theme: $language, $visitor',
    { timeout: 240_000 },
    async ({ language, visitor }) => {
      const found = await lookAtAll(data, visitor, { language, theme: 'light' }, async (page) => {
        const inLight = await violations(page);
        // The themes differ only in colours.
        await page.emulateMedia({ colorScheme: 'dark' });
        const inDark = await violations(page, { rules: 'colours' });
        await page.emulateMedia({ colorScheme: 'light' });
        return [...inLight, ...inDark.map((each) => `dark: ${each}`)];
      });
      expect(found.join('\n')).toBe('');
    },
  );
});
