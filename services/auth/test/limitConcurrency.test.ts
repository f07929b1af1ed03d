import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { limitConcurrency } from '../src/limitConcurrency.ts';

describe('limited work', () => {
  test('runs no more than allowed at once, all of it, in order', async () => {
    const inTurn = limitConcurrency({ atOnce: 2, mostWaiting: 100 });
    const order: number[] = [];
    let running = 0;
    let most = 0;
    const work = (index: number) => async () => {
      running += 1;
      most = Math.max(most, running);
      order.push(index);
      await sleep(1);
      running -= 1;
      return index;
    };
    const results = await Promise.all(Array.from({ length: 10 }, (_, index) => inTurn(work(index))));
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(order).toEqual(results);
    expect(most).toBe(2);
  });

  test('hands its turn on when it fails', async () => {
    const inTurn = limitConcurrency({ atOnce: 1, mostWaiting: 1 });
    const fails = inTurn(() => Promise.reject(new Error('failed')));
    const succeeds = inTurn(async () => 'done');
    await expect(fails).rejects.toThrow('failed');
    expect(await succeeds).toBe('done');
    expect(await inTurn(async () => 'again')).toBe('again');
  });

  test('is refused when the queue is full', async () => {
    const inTurn = limitConcurrency({ atOnce: 1, mostWaiting: 1 });
    const first = inTurn(() => sleep(5));
    const second = inTurn(() => sleep(1));
    await expect(inTurn(() => sleep(1))).rejects.toMatchObject({ code: 'unavailable' });
    await Promise.all([first, second]);
  });
});
