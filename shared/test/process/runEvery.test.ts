import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import { createLogger } from '../../src/process/logger.ts';
import { runEvery } from '../../src/process/runEvery.ts';

const options = { log: createLogger('test', 'silent'), failureMessage: 'task failed' };

test('a task runs periodically until it is stopped', async () => {
  let runs = 0;
  const stop = runEvery({ ...options, everyMs: 5, task: () => (runs += 1) });
  expect(runs).toBe(0);
  await waitFor(() => runs >= 3);
  await stop();
  const before = runs;
  await sleep(50);
  expect(runs).toBe(before);
});

test('a task with startNow runs immediately', async () => {
  let runs = 0;
  const stop = runEvery({ ...options, everyMs: 60_000, startNow: true, task: () => (runs += 1) });
  expect(runs).toBe(1);
  await stop();
});

test('runs never overlap, and stopping waits for the current run', async () => {
  let running = 0;
  let most = 0;
  let ended = 0;
  const stop = runEvery({
    ...options,
    everyMs: 1,
    async task() {
      running += 1;
      most = Math.max(most, running);
      await sleep(30);
      running -= 1;
      ended += 1;
    },
  });
  await waitFor(() => ended === 2 && running === 1);
  await stop();
  expect([most, running, ended]).toEqual([1, 0, 3]);
});

test('a failed run is followed by the next one', async () => {
  let runs = 0;
  const stop = runEvery({
    ...options,
    everyMs: 1,
    task() {
      runs += 1;
      throw new Error('the task fails');
    },
  });
  await waitFor(() => runs >= 3);
  await stop();
});

test('the pause between runs may be a function', async () => {
  const pauses = [1, 1, 60_000];
  let runs = 0;
  const stop = runEvery({ ...options, everyMs: () => pauses.shift() ?? 0, task: () => (runs += 1) });
  await waitFor(() => pauses.length === 0);
  await sleep(20);
  expect(runs).toBe(2);
  await stop();
});
