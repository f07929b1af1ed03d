import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Run by `npm run check -- compatibility`: these tests need oasdiff, which npm test does not need.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['*.test.ts'],
    testTimeout: 60_000,
    // Building oasdiff takes a minute.
    hookTimeout: 600_000,
  },
});
