import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';
import { type ReleaseDependencies, releaseDueGrades } from './releaseGrades.ts';

// A due release takes effect within this time. A run without a due release is one lookup in an index with few rows.
const everyMs = 2_000;

/**
 * Releases grades when they are due, including those that became due while no replica was running. Returns a function
 * that stops it.
 */
export function scheduleReleases(dependencies: ReleaseDependencies & { log: Logger }): () => Promise<void> {
  return runEvery({
    everyMs,
    startNow: true,
    async task(signal) {
      while ((await releaseDueGrades(dependencies)) && !signal.aborted);
    },
    log: dependencies.log,
    failureMessage: 'could not release the grades that are due',
  });
}
