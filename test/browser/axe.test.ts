import { beforeAll, describe, expect, test } from 'vitest';
import { type AddressScene, newAddressScene } from './addresses.ts';
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
