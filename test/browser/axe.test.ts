import { beforeAll, describe, expect, test } from 'vitest';
import { type AddressScene, newAddressScene } from './addresses.ts';
import { logIn, openWindow } from './openWindow.ts';
import { openOverlay, overlays } from './overlays.ts';
import { violations } from './violations.ts';
import { lookAtAll, visitorsInBothDirections } from './visits.ts';

let data: AddressScene;
beforeAll(async () => {
  data = await newAddressScene();
});

// A theme at a time: the addresses of an administrator in both take too long for one test on a busy machine.
const looks = visitorsInBothDirections.flatMap((each) =>
  (['light', 'dark'] as const).map((theme) => ({ ...each, theme })),
);

describe('every address', () => {
  test.for(looks)(
    'has no violation that axe finds: $language, $theme, $visitor',
    async ({ language, theme, visitor }) => {
      const found = await lookAtAll(data, visitor, { language, theme }, (page) => violations(page));
      expect(found.join('\n')).toBe('');
    },
  );
});

describe('every dialog and menu', () => {
  test.for([
    { language: 'en', theme: 'light', visitor: 'instructor' },
    { language: 'ar', theme: 'dark', visitor: 'instructor' },
    { language: 'en', theme: 'light', visitor: 'admin' },
    { language: 'ar', theme: 'dark', visitor: 'admin' },
  ] as const)(
    'has no violation that axe finds: $language, $theme, $visitor',
    async ({ visitor, ...look }) => {
      const window = await openWindow(look);
      await logIn(window, data.people[visitor]);
      const found: string[] = [];
      for (const overlay of overlays.filter((each) => each.visitor === visitor)) {
        const address = overlay.path(data.scene);
        await window.page.goto(address);
        await openOverlay(window, overlay);
        for (const each of await violations(window.page, overlay.only))
          found.push(`${address}, ${overlay.button}: ${each}`);
      }
      expect(found).toEqual([]);
    },
  );
});
