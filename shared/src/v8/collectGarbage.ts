import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collector = (options?: { type: 'minor' }) => void;

let collector: Collector | undefined;

/** V8's garbage collector, which Node.js exposes only with this flag. */
function exposeCollector(): Collector {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

/**
 * Runs a full collection and returns the freed memory to the system. V8 would do so only after much more garbage has
 * accumulated. Stops the process for tens of milliseconds.
 */
export function collectGarbage(): void {
  collector ??= exposeCollector();
  collector();
}

/**
 * Collects the young generation. Stops the process for at most a few milliseconds. Runs without helper threads:
 * frequent collections find few survivors, and waking four threads would take longer than the work itself.
 */
export function collectRecentGarbage(): void {
  collector ??= exposeCollector();
  setFlagsFromString('--no-parallel-scavenge');
  collector({ type: 'minor' });
  setFlagsFromString('--parallel-scavenge');
}
