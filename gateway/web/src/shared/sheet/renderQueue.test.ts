import { expect, test } from 'vitest';
import { RenderQueue, type RenderTask, type Urgency } from './renderQueue.ts';

/** Tasks that record when they start, and finish only when the test lets them. */
function newQueue() {
  const queue = new RenderQueue();
  const begun: string[] = [];
  const newTask = (name: string, urgency: Urgency): RenderTask & { end(): void; fail(): void } => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const run = () => {
      begun.push(name);
      return promise;
    };
    return { urgency, run, end: resolve, fail: () => reject(new Error('damaged')) };
  };
  return { queue, begun, newTask };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('one page is rendered at a time, the most urgent first', async () => {
  const { queue, begun, newTask } = newQueue();
  const first = newTask('first', 'ahead');
  const shown = newTask('shown', 'shown');
  for (const task of [first, newTask('ahead', 'ahead'), newTask('near', 'near'), shown]) queue.add(task);
  await turn();
  expect(begun).toEqual(['first']);
  first.end();
  await turn();
  expect(begun).toEqual(['first', 'shown']);
  shown.end();
  await turn();
  expect(begun).toEqual(['first', 'shown', 'near']);
});

test('pages of the same urgency are rendered in request order', async () => {
  const { queue, begun, newTask } = newQueue();
  for (const name of ['1', '2', '3']) {
    const task = newTask(name, 'near');
    queue.add(task);
    task.end();
  }
  await turn();
  expect(begun).toEqual(['1', '2', '3']);
});

test('a page that becomes urgent while it waits is rendered first', async () => {
  const { queue, begun, newTask } = newQueue();
  const [first, second, third] = ['first', 'second', 'third'].map((name) => newTask(name, 'ahead'));
  for (const task of [first, second, third]) if (task) queue.add(task);
  if (third) third.urgency = 'shown';
  first?.end();
  await turn();
  expect(begun).toEqual(['first', 'third']);
});

test('a removed page is not rendered, and a failing one does not stop the others', async () => {
  const { queue, begun, newTask } = newQueue();
  const first = newTask('first', 'shown');
  const unwanted = newTask('unwanted', 'shown');
  for (const task of [first, unwanted, newTask('last', 'ahead')]) queue.add(task);
  queue.remove(unwanted);
  first.fail();
  await turn();
  expect(begun).toEqual(['first', 'last']);
});
