import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** The places in the code that V8 decides to allocate in the old generation when their objects survive collections. */
async function pretenuredBy(firstStep: string): Promise<string[]> {
  const module = new URL('../../dist/v8/tuneGarbageCollection.js', import.meta.url).href;
  const script = `
    import { tuneGarbageCollection } from ${JSON.stringify(module)};
    ${firstStep}
    const create = (n) => ({ n, list: [n], inner: { n } });
    for (let round = 0; round < 30; round += 1) {
      const kept = [];
      for (let n = 0; n < 50_000; n += 1) kept.push(create(n));
    }`;
  const parameters = ['--trace-pretenuring-statistics', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, parameters);
  return stdout.split('\n').filter((line) => line.includes('tenure'));
}

test('V8 does not move the allocations of requests to the old generation', async () => {
  expect(await pretenuredBy('tuneGarbageCollection();')).toEqual([]);
  // Without the step this program has such places.
  expect(await pretenuredBy('')).not.toEqual([]);
});
