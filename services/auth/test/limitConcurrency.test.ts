import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { limitConcurrency } from '../src/limitConcurrency.ts';

describe('limited concurrency', () => {
  test('all tasks run in order, never more than allowed at once', async () => {
    const limit = limitConcurrency({ maxRunning: 2, maxQueued: 100 });
    const order: number[] = [];
    let running = 0;
    let maxRunning = 0;
    const task = (index: number) => async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      order.push(index);
      await sleep(1);
      running -= 1;
      return index;
    };
    const results = await Promise.all(Array.from({ length: 10 }, (_, index) => limit(task(index))));
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(order).toEqual(results);
    expect(maxRunning).toBe(2);
  });

  test('a failed task releases its slot', async () => {
    const limit = limitConcurrency({ maxRunning: 1, maxQueued: 1 });
    const fails = limit(() => Promise.reject(new Error('failed')));
    const succeeds = limit(async () => 'done');
    await expect(fails).rejects.toThrow('failed');
    expect(await succeeds).toBe('done');
    expect(await limit(async () => 'again')).toBe('again');
  });

  test('a task is rejected when the queue is full', async () => {
    const limit = limitConcurrency({ maxRunning: 1, maxQueued: 1 });
    const first = limit(() => sleep(5));
    const second = limit(() => sleep(1));
    await expect(limit(() => sleep(1))).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.all([first, second]);
  });
});
