import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';
import { type ReleaseDependencies, releaseDueGrades } from './releaseGrades.ts';

// A due release takes effect within this time. A run without one is a lookup in an index with few rows.
const everyMs = 2_000;

/** Releases grades when their time comes, also those whose time came while no replica ran. Returns a function that stops it. */
export function scheduleReleases(dependencies: ReleaseDependencies & { log: Logger }): () => Promise<void> {
  return runEvery({
    everyMs,
    startNow: true,
    async task(signal) {
      while ((await releaseDueGrades(dependencies)) && !signal.aborted);
    },
    log: dependencies.log,
    failureMessage: 'could not release the grades whose time has come',
  });
}
