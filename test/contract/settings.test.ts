import { configurations, withSettings } from '@gradeway/local/writeSettings';
import { expect, test } from 'vitest';

test.each(configurations)('%s/README.md lists every setting as the code reads it', async (folder) => {
  const { present, wanted } = await withSettings(folder);
  expect(present, 'run: npm run docs:settings').toBe(wanted);
});
