import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

interface Peaks {
  young: number;
  old: number;
}

/** The largest sizes of both generations, in megabytes, while 300,000 objects live at a time: under the limit, and after it. */
async function peaks(): Promise<Record<'limited' | 'unlimited', Peaks>> {
  const module = (name: string) =>
    JSON.stringify(new URL(`../../dist/process/${name}.js`, import.meta.url).href);
  const script = `
    import { setTimeout as sleep } from 'node:timers/promises';
    import { getHeapSpaceStatistics } from 'node:v8';
    import { limitHeapGrowth } from ${module('limitHeapGrowth')};
    import { tuneGarbageCollection } from ${module('tuneGarbageCollection')};
    tuneGarbageCollection();
    const size = (name) => getHeapSpaceStatistics().find((each) => each.space_name === name).space_size / 2 ** 20;
    async function work() {
      const peaks = { young: 0, old: 0 };
      const live = [];
      for (let n = 0; n < 3_000_000; n += 1) {
        live[n % 300_000] = { text: 'row ' + n, list: [n, n + 1] };
        if (n % 8_000 !== 0) continue;
        peaks.young = Math.max(peaks.young, size('new_space'));
        peaks.old = Math.max(peaks.old, size('old_space'));
        await sleep(2);
      }
      return peaks;
    }
    const limit = limitHeapGrowth(50);
    const limited = await work();
    limit[Symbol.dispose]();
    await sleep(200);
    console.log(JSON.stringify({ limited, unlimited: await work() }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  return JSON.parse(stdout) as Record<'limited' | 'unlimited', Peaks>;
}

test('both generations of the heap stay smaller under the limit, and grow as usual after it', async () => {
  const { limited, unlimited } = await peaks();
  expect(limited.young).toBeLessThanOrEqual(unlimited.young * 0.6);
  expect(limited.old).toBeLessThan(unlimited.old * 0.7);
});
