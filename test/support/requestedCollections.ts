import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The garbage collections that this process asks for during `work`, by kind (`constants.NODE_PERFORMANCE_GC_…`). */
export async function requestedCollections(work: () => unknown): Promise<unknown[]> {
  const entries: object[] = [];
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  await work();
  await nextTurn();
  entries.push(...observer.takeRecords());
  observer.disconnect();
  return entries
    .map((entry) => (entry as { detail: { kind: number; flags: number } }).detail)
    .filter(({ flags }) => (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0)
    .map(({ kind }) => kind);
}

/** The number of those of the young generation. V8 also marks some full ones as requested that no code asked for. */
export async function requestedYoungCollections(work: () => unknown): Promise<number> {
  const kinds = await requestedCollections(work);
  return kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MINOR).length;
}
