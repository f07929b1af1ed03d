import { documentedFolders, readmeWithSettings } from '@gradeway/local/generateSettingsDocs';
import { expect, test } from 'vitest';

test.each(documentedFolders)('%s/README.md lists every setting that the code reads', async (folder) => {
  const { current, expected } = await readmeWithSettings(folder);
  expect(current, 'run: npm run docs:settings').toBe(expected);
});
