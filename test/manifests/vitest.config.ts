import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Run by `npm run check -- manifests`: these tests need kubectl or kustomize, which npm test does not need.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    globalSetup: ['build.ts'],
    include: ['*.test.ts'],
    testTimeout: 20_000,
    // Installing kustomize with Go takes minutes.
    hookTimeout: 600_000,
  },
});
