import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openAhead } from '../../src/submissions/openAhead.ts';

const [small, large] = [1024 * 1024, 1024 * 1024 + 1];

async function* filesOf(sizes: number[]) {
  for (const [id, size] of sizes.entries()) yield { id, size };
}

/** A store that responds when the test calls `answer` or `fail`. */
function slowStore() {
  const asked: number[] = [];
  const answers = new Map<number, PromiseWithResolvers<string>>();
  return {
    asked,
    open({ id }: { id: number }) {
      asked.push(id);
      const answer = Promise.withResolvers<string>();
      answers.set(id, answer);
      return answer.promise;
    },
    answer: (id: number) => answers.get(id)?.resolve(`content of ${id}`),
    fail: (id: number) => answers.get(id)?.reject(new Error(`no file ${id}`)),
  };
}

test('at most four small files are opened ahead of the one in use', async () => {
  const store = slowStore();
  const files = openAhead(filesOf(Array.from({ length: 20 }, () => small)), store.open);
  const first = await files.next();
  await turn();
  expect(store.asked).toEqual([0, 1, 2, 3, 4]);
  store.answer(0);
  expect(await first.value?.content()).toBe('content of 0');
  await files.next();
  expect(store.asked).toEqual([0, 1, 2, 3, 4, 5]);
});

test('files keep their order, even if later ones are opened first', async () => {
  const store = slowStore();
  const files = openAhead(filesOf([small, small, small]), store.open);
  const first = await files.next();
  for (const id of [2, 1, 0]) store.answer(id);
  const contents = [await first.value?.content()];
  for await (const { content } of files) contents.push(await content());
  expect(contents).toEqual(['content of 0', 'content of 1', 'content of 2']);
});

test('a large file is opened only when its content is requested', async () => {
  const store = slowStore();
  const files = openAhead(filesOf([small, large, small]), store.open);
  await files.next();
  const second = await files.next();
  expect(store.asked).toEqual([0, 2]);
  const content = second.value?.content();
  expect(store.asked).toEqual([0, 2, 1]);
  store.answer(1);
  expect(await content).toBe('content of 1');
});

test('an error is thrown when its file is next, after the ones before it', async () => {
  const store = slowStore();
  const files = openAhead(filesOf([small, small]), store.open);
  const first = await files.next();
  store.fail(1);
  await turn();
  store.answer(0);
  expect(await first.value?.content()).toBe('content of 0');
  const second = await files.next();
  await expect(second.value?.content()).rejects.toThrow('no file 1');
});

test('a reader that ends early leaves no unhandled error from a later file', async () => {
  const store = slowStore();
  const files = openAhead(filesOf([small, small]), store.open);
  await files.next();
  await files.return();
  // vitest fails a test run with an unhandled rejection.
  store.fail(1);
  await turn();
  expect(store.asked).toEqual([0, 1]);
});
