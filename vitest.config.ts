import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longestFirst.ts';

const ofEachProject = {
  // Generous: they end a test that hangs, and must hold on a busy machine.
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // Tests wait for a state. The limit only ends a test that can no longer succeed.
  expect: { poll: { timeout: 30_000, interval: 50 } },
  // A failure shows both values in full; .ci/run prints nothing else about it.
  chaiConfig: { truncateThreshold: 0 },
};
// Tests that kill and restart a single service.
const faultsOfServices = 'services/*/test/**/*.faults.test.ts';

// `modules` tests modules and the gateway, `services` single services and the contract between them, each file with its own copy
// of a migrated database, `web` the rules of the web application. `blackbox` tests the whole system, started once, or the system
// at BASE_URL. The files of `faults`, `faultTable` and `traces` start their own systems; they run afterwards, because
// they stop and kill processes. `npm test` leaves `faults` and `faultTable` to `npm run test:faults`, `versions`, which builds
// the previous release, to `npm run test:versions`, and `browser`, which needs Chromium, to `npm run test:web`.
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...ofEachProject,
          name: 'modules',
          globalSetup: ['test/globalSetup/postgres.ts'],
          include: ['{shared,gateway,clients/typescript}/test/**/*.test.ts'],
        },
      },
      // Their state is in the processes and databases that they start: a worker for each file would only load the same modules again.
      {
        test: {
          ...ofEachProject,
          name: 'services',
          isolate: false,
          globalSetup: ['test/globalSetup/postgres.ts'],
          include: ['services/*/test/**/*.test.ts', 'test/contract/**/*.test.ts', 'local/test/**/*.test.ts'],
          exclude: [faultsOfServices],
        },
      },
      // Stateless rules: a process for each file would take longer than its tests.
      { test: { ...ofEachProject, name: 'web', isolate: false, include: ['gateway/web/src/**/*.test.ts'] } },
      {
        test: {
          ...ofEachProject,
          name: 'blackbox',
          globalSetup: ['test/globalSetup/system.ts'],
          include: ['test/blackbox/**/*.test.ts'],
        },
      },
      {
        test: {
          ...ofEachProject,
          name: 'browser',
          globalSetup: ['test/globalSetup/browser.ts'],
          include: ['test/browser/**/*.test.ts'],
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...ofEachProject,
          name: 'faults',
          globalSetup: ['test/globalSetup/postgres.ts'],
          include: ['test/faults/*.test.ts', faultsOfServices],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...ofEachProject,
          name: 'faultTable',
          // A fault in the table may last a minute.
          testTimeout: 300_000,
          globalSetup: ['test/globalSetup/postgres.ts', 'test/globalSetup/faultTable.ts'],
          include: ['test/faults/table/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...ofEachProject,
          name: 'versions',
          testTimeout: 900_000,
          globalSetup: [
            'test/globalSetup/postgres.ts',
            'test/globalSetup/faultTable.ts',
            'test/globalSetup/previousRelease.ts',
          ],
          include: ['test/versions/*.test.ts'],
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          ...ofEachProject,
          name: 'traces',
          include: ['test/traces/**/*.test.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
