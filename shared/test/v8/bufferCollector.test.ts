import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BufferCollector } from '../../src/v8/bufferCollector.ts';
import { collectGarbage } from '../../src/v8/collectGarbage.ts';

const half = 2 * 1024 * 1024;

/** The garbage collections that this process requests during `work`, by kind (`constants.NODE_PERFORMANCE_GC_…`). */
async function requestedCollections(work: () => unknown): Promise<unknown[]> {
  const entries: object[] = [];
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  work();
  await nextTurn();
  entries.push(...observer.takeRecords());
  observer.disconnect();
  return entries
    .map((entry) => (entry as { detail: { kind: number; flags: number } }).detail)
    .filter(({ flags }) => (flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0)
    .map(({ kind }) => kind);
}

test('the young generation, and no more, is collected after every 4 MiB', async () => {
  const collector = new BufferCollector();
  const young = constants.NODE_PERFORMANCE_GC_MINOR;
  // V8 makes the next collection a full one if it is already marking its heap.
  collectGarbage();
  await nextTurn();
  expect(await requestedCollections(() => collector.count(half))).toEqual([]);
  expect(await requestedCollections(() => collector.count(half))).toEqual([young]);
  expect(await requestedCollections(() => collector.count(half))).toEqual([]);
  expect(await requestedCollections(() => collector.count(half))).toEqual([young]);
});

test('the interval can be set', async () => {
  const collector = new BufferCollector(3 * half);
  collectGarbage();
  await nextTurn();
  expect(await requestedCollections(() => collector.count(2 * half))).toEqual([]);
  expect(await requestedCollections(() => collector.count(half))).toEqual([
    constants.NODE_PERFORMANCE_GC_MINOR,
  ]);
});

test('the collector leaves no function gc behind', () => {
  new BufferCollector().count(2 * half);
  expect(globalThis.gc).toBeUndefined();
});
