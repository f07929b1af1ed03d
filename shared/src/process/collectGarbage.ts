import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collector = (options?: { type: 'minor' }) => void;

let collector: Collector | undefined;

/** The garbage collector of V8, which Node.js offers only with this flag. */
function exposeCollector(): Collector {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

/**
 * Collects all garbage and returns its memory to the system, as V8 does by itself only after much more has accumulated.
 * Stops the process for some tens of milliseconds.
 */
export function collectGarbage(): void {
  collector ??= exposeCollector();
  collector();
}

/**
 * Collects the garbage among recent objects. Stops the process for a few milliseconds at most. Without helper threads: where this is
 * called often few objects survive, and waking four threads took longer than their share of the work.
 */
export function collectRecentGarbage(): void {
  collector ??= exposeCollector();
  setFlagsFromString('--no-parallel-scavenge');
  collector({ type: 'minor' });
  setFlagsFromString('--parallel-scavenge');
}
