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
 * Collects all garbage and returns its memory to the system, which V8 would do only after much more garbage has accumulated.
 * Stops the process for tens of milliseconds.
 */
export function collectGarbage(): void {
  collector ??= exposeCollector();
  collector();
}

/**
 * Collects the garbage of the young generation. Stops the process for a few milliseconds at most. Uses no helper threads: where it
 * is called often, few objects survive, and waking four threads would take longer than their share of the work.
 */
export function collectRecentGarbage(): void {
  collector ??= exposeCollector();
  setFlagsFromString('--no-parallel-scavenge');
  collector({ type: 'minor' });
  setFlagsFromString('--parallel-scavenge');
}
