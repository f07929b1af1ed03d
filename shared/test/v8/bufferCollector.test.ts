import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { BufferCollector } from '../../src/v8/bufferCollector.ts';

const mebibyte = 1024 * 1024;

/** The number of garbage collections that this process requests during `work`. */
async function requestedCollections(work: () => unknown): Promise<number> {
  const entries: object[] = [];
  const observer = new PerformanceObserver((list) => entries.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  work();
  await nextTurn();
  entries.push(...observer.takeRecords());
  observer.disconnect();
  const flags = entries.map((entry) => (entry as { detail: { flags: number } }).detail.flags);
  return flags.filter((each) => (each & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) !== 0).length;
}

test.each([
  { interval: undefined, mebibytes: 4 },
  { interval: 6 * mebibyte, mebibytes: 6 },
])(
  'a collection follows every $mebibytes MiB with the interval $interval',
  async ({ interval, mebibytes }) => {
    const collector = new BufferCollector(interval);
    for (let round = 0; round < 2; round += 1) {
      expect(await requestedCollections(() => collector.count((mebibytes - 1) * mebibyte))).toBe(0);
      expect(await requestedCollections(() => collector.count(mebibyte))).toBe(1);
    }
  },
);

test('counted buffers occupy a few megabytes, however many there are', async () => {
  const collector = new BufferCollector();
  const before = process.memoryUsage().arrayBuffers;
  let max = 0;
  for (let allocated = 0; allocated < 300; allocated += 1) {
    collector.count(Buffer.alloc(mebibyte).length);
    // V8 frees buffers in another thread.
    await nextTurn();
    max = Math.max(max, process.memoryUsage().arrayBuffers - before);
  }
  // Without the collector, they occupy about 70 MiB.
  expect(max).toBeLessThan(20 * mebibyte);
});

test('the collector leaves no function gc behind', () => {
  new BufferCollector().count(4 * mebibyte);
  expect(globalThis.gc).toBeUndefined();
});
