import { expect, test } from 'vitest';
import { coalesceCalls } from '../../src/database/coalesceCalls.ts';

/** A call whose results are provided by the test. */
function controlledCall() {
  const begun: PromiseWithResolvers<string>[] = [];
  const ask = coalesceCalls(() => {
    const call = Promise.withResolvers<string>();
    begun.push(call);
    return call.promise;
  });
  return { ask, begun };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('callers during a call share the next one', async () => {
  const { ask, begun } = controlledCall();
  const first = ask();
  const [second, third] = [ask(), ask()];
  expect(begun).toHaveLength(1);
  begun[0]?.resolve('one');
  expect(await first).toBe('one');
  await settled();
  expect(begun).toHaveLength(2);
  const fourth = ask();
  begun[1]?.resolve('two');
  expect(await Promise.all([second, third])).toEqual(['two', 'two']);
  await settled();
  begun[2]?.resolve('three');
  expect(await fourth).toBe('three');
});

test('a failed call fails only for the callers that share it', async () => {
  const { ask, begun } = controlledCall();
  const [first, second] = [ask(), ask()];
  begun[0]?.reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  await settled();
  begun[1]?.resolve('yes');
  expect(await second).toBe('yes');
});

test('a call begins at once when none is in progress', async () => {
  const { ask, begun } = controlledCall();
  const first = ask();
  begun[0]?.resolve('one');
  await first;
  await settled();
  const second = ask();
  expect(begun).toHaveLength(2);
  begun[1]?.resolve('two');
  expect(await second).toBe('two');
});
