import { constants } from 'node:perf_hooks';
import { requestedCollections } from '@gradeway/test/requestedCollections';
import { expect, test } from 'vitest';
import { BufferCollector } from '../../src/process/bufferCollector.ts';

const half = 2 * 1024 * 1024;

test('the young generation, and no more, is collected after every 4 MiB', async () => {
  const collector = new BufferCollector();
  const young = constants.NODE_PERFORMANCE_GC_MINOR;
  expect(await requestedCollections(() => collector.count(half))).toEqual([]);
  expect(await requestedCollections(() => collector.count(half))).toEqual([young]);
  expect(await requestedCollections(() => collector.count(half))).toEqual([]);
  expect(await requestedCollections(() => collector.count(half))).toEqual([young]);
});

test('the collector leaves no function gc behind', () => {
  new BufferCollector().count(2 * half);
  expect(globalThis.gc).toBeUndefined();
});
