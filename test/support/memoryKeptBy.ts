import { collectGarbage } from '@gradeway/shared/v8/collectGarbage';

/** The bytes of memory that are still in use after `work`. */
export function memoryKeptBy(work: () => void): number {
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  work();
  collectGarbage();
  return process.memoryUsage().heapUsed - before;
}
