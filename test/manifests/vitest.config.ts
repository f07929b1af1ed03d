import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Not among the tests of `npm test`: they need kubectl or kustomize. `npm run check manifests` runs them.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL('.', import.meta.url)),
    globalSetup: ['build.ts'],
    include: ['*.test.ts'],
    testTimeout: 20_000,
    // Building kustomize with Go, where that is the only way, takes minutes.
    hookTimeout: 600_000,
  },
});
