import { beforeAll, expect, test } from 'vitest';
import { type AddressScene, newAddressScene } from './addresses.ts';
import { logIn, openWindow } from './openWindow.ts';
import { openOverlay, overlays } from './overlays.ts';
import { violations } from './violations.ts';

let data: AddressScene;
beforeAll(async () => {
  data = await newAddressScene();
});

test.for([
  { language: 'en', theme: 'light', visitor: 'instructor' },
  { language: 'ar', theme: 'dark', visitor: 'instructor' },
  { language: 'en', theme: 'light', visitor: 'admin' },
  { language: 'ar', theme: 'dark', visitor: 'admin' },
] as const)(
  'axe finds no violation in any dialog or menu: $language, $theme, $visitor',
  async ({ visitor, ...look }) => {
    const window = await openWindow(look);
    await logIn(window, data.people[visitor]);
    const found: string[] = [];
    for (const overlay of overlays.filter((each) => each.visitor === visitor)) {
      const address = overlay.path(data.scene);
      await window.page.goto(address);
      await openOverlay(window, overlay);
      for (const each of await violations(window.page, { only: overlay.only }))
        found.push(`${address}, ${overlay.button}: ${each}`);
    }
    expect(found).toEqual([]);
  },
);
