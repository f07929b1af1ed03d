import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { Semaphore } from '../../src/process/semaphore.ts';

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Runs tasks by name and ends them by name; `started` is the order in which they began. */
function recordTasks(semaphore: Semaphore) {
  const started: string[] = [];
  const running = new Map<string, PromiseWithResolvers<void>>();
  return {
    started,
    async add(user: number, ...names: string[]) {
      const results = names.map((name) =>
        semaphore.run(user, () => {
          started.push(name);
          const task = Promise.withResolvers<void>();
          running.set(name, task);
          return task.promise;
        }),
      );
      await nextTurn();
      return { results };
    },
    async end(name: string, error?: Error) {
      const task = running.get(name);
      if (error) task?.reject(error);
      else task?.resolve();
      await nextTurn();
    },
  };
}

test("a user with many tasks delays another user's task by at most one task", async () => {
  const tasks = recordTasks(new Semaphore({ slots: 1 }));
  await tasks.add(1, 'a1', 'a2', 'a3', 'a4');
  await tasks.add(2, 'b1');
  await tasks.add(3, 'c1');
  await tasks.add(2, 'b2');
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await tasks.end(name);
  expect(tasks.started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a user whose tasks never end leaves a slot to others', async () => {
  const tasks = recordTasks(new Semaphore({ slots: 2, perUser: 1 }));
  await tasks.add(1, 'a1', 'a2');
  expect(tasks.started).toEqual(['a1']);
  await tasks.add(2, 'b1');
  await tasks.add(3, 'c1');
  expect(tasks.started).toEqual(['a1', 'b1']);
  await tasks.end('b1');
  expect(tasks.started).toEqual(['a1', 'b1', 'c1']);
});

test('a task that fails frees its slot', async () => {
  const tasks = recordTasks(new Semaphore({ slots: 1 }));
  const { results } = await tasks.add(1, 'a1', 'a2');
  await Promise.all([
    expect(results[0]).rejects.toThrow('no file handle'),
    tasks.end('a1', new Error('no file handle')),
  ]);
  expect(tasks.started).toEqual(['a1', 'a2']);
});

test('a task that had to wait runs in the context of its own request', async () => {
  const requests = new AsyncLocalStorage<string>();
  const semaphore = new Semaphore({ slots: 1 });
  const seen = await Promise.all(
    ['first', 'second', 'third'].map((name, user) =>
      requests.run(name, () => semaphore.run(user, async () => requests.getStore())),
    ),
  );
  expect(seen).toEqual(['first', 'second', 'third']);
});

test('tasks of one user run in order, with at most as many at a time as there are slots', async () => {
  const semaphore = new Semaphore({ slots: 2, maxWaiting: 100 });
  const order: number[] = [];
  let running = 0;
  let maxRunning = 0;
  const task = (index: number) => async () => {
    running += 1;
    maxRunning = Math.max(maxRunning, running);
    order.push(index);
    await nextTurn();
    running -= 1;
    return index;
  };
  const results = await Promise.all(Array.from({ length: 10 }, (_, index) => semaphore.run(1, task(index))));
  expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(order).toEqual(results);
  expect(maxRunning).toBe(2);
});

test('a task is rejected when too many tasks are waiting', async () => {
  const semaphore = new Semaphore({ slots: 1, maxWaiting: 1 });
  const first = semaphore.run(1, nextTurn);
  const second = semaphore.run(1, nextTurn);
  await expect(semaphore.run(2, nextTurn)).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all([first, second]);
  await semaphore.run(2, nextTurn);
});

test('an aborted caller leaves its slot to the next one, and releasing a slot twice frees one', async () => {
  const semaphore = new Semaphore({ slots: 1 });
  const release = await semaphore.acquire(1);
  const aborted = new AbortController();
  const [second, third] = [semaphore.acquire(1, aborted.signal), semaphore.acquire(1)];
  aborted.abort(new Error('disconnected'));
  await expect(second).rejects.toThrow('disconnected');
  await expect(semaphore.acquire(1, aborted.signal)).rejects.toThrow('disconnected');
  release();
  release();
  const releaseThird = await third;
  expect([semaphore.waiting, semaphore.tryAcquire(1)]).toEqual([0, undefined]);
  releaseThird();
  expect(semaphore.tryAcquire(1)).toBeDefined();
});
