import { getHeapSpaceStatistics } from 'node:v8';
import { collectGarbage, collectRecentGarbage } from '@gradeway/shared/process/collectGarbage';

/**
 * The bytes by which V8's old generation grows while `work` runs: its garbage stays until V8 collects the whole heap, which stops the
 * process. Objects that exist before are old then, as they are in a process that has been running longer.
 */
export function oldGarbageOf(work: () => void): number {
  // An object is old after two collections.
  for (let count = 0; count < 2; count += 1) collectRecentGarbage();
  const before = oldGenerationBytes();
  work();
  return oldGenerationBytes() - before;
}

/** The bytes of memory that are still in use after `work`. */
export function memoryKeptBy(work: () => void): number {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  work();
  collectGarbage();
  return process.memoryUsage().heapUsed - before;
}

const oldGenerationBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;
