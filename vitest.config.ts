import { defineConfig } from 'vitest/config';

// Two kinds of tests: of parts, each with a Postgres of the run's own, and of the whole system that `npm start`
// runs, which is started once (or is the one that BASE_URL names). Faults and traces have systems of their own.
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'parts',
          globalSetup: ['test/support/startPostgres.ts'],
          include: [
            '{shared,gateway,local}/test/**/*.test.ts',
            'services/*/test/**/*.test.ts',
            'test/contract/**/*.test.ts',
          ],
          testTimeout: 20_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'blackbox',
          globalSetup: ['test/support/startSystem.ts'],
          include: ['test/blackbox/**/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'traces',
          include: ['test/traces/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'faults',
          globalSetup: ['test/support/startPostgres.ts'],
          include: ['test/faults/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
