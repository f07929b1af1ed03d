import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BufferCollector } from '../../src/process/bufferCollector.ts';

const megabyte = 1024 * 1024;

/** The garbage collections that `work` asks for, by kind. */
async function requestedCollections(work: () => void): Promise<unknown[]> {
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

test('the young generation, and no more, is collected after every 2 MiB', async () => {
  const collector = new BufferCollector();
  const young = constants.NODE_PERFORMANCE_GC_MINOR;
  expect(await requestedCollections(() => collector.count(megabyte))).toEqual([]);
  expect(await requestedCollections(() => collector.count(megabyte))).toEqual([young]);
  expect(await requestedCollections(() => collector.count(megabyte))).toEqual([]);
  expect(await requestedCollections(() => collector.count(megabyte))).toEqual([young]);
});

test('the collector leaves no function gc behind', () => {
  new BufferCollector().count(2 * megabyte);
  expect(globalThis.gc).toBeUndefined();
});
