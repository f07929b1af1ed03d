import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, test } from 'vitest';
import { FairQueue } from '../../src/process/fairQueue.ts';

/** Queues jobs by name and ends them by name; `started` is the order in which they began. */
function recordJobs(queue: FairQueue) {
  const started: string[] = [];
  const running = new Map<string, PromiseWithResolvers<void>>();
  return {
    started,
    add: (userId: number, name: string) =>
      queue.run(userId, () => {
        started.push(name);
        const job = Promise.withResolvers<void>();
        running.set(name, job);
        return job.promise;
      }),
    async end(name: string, error?: Error) {
      const job = running.get(name);
      if (error) job?.reject(error);
      else job?.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('a user with many jobs delays a job of another user by one job', async () => {
  const jobs = recordJobs(new FairQueue({ atOnce: 1, perUser: 1 }));
  for (const name of ['a1', 'a2', 'a3', 'a4']) void jobs.add(1, name);
  void jobs.add(2, 'b1');
  void jobs.add(3, 'c1');
  void jobs.add(2, 'b2');
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await jobs.end(name);
  expect(jobs.started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('a user whose jobs never end leaves a place to others', async () => {
  const jobs = recordJobs(new FairQueue({ atOnce: 2, perUser: 1 }));
  for (const name of ['a1', 'a2']) void jobs.add(1, name);
  expect(jobs.started).toEqual(['a1']);
  void jobs.add(2, 'b1');
  void jobs.add(3, 'c1');
  expect(jobs.started).toEqual(['a1', 'b1']);
  await jobs.end('b1');
  expect(jobs.started).toEqual(['a1', 'b1', 'c1']);
});

test('a job that fails leaves its place to the next one', async () => {
  const jobs = recordJobs(new FairQueue({ atOnce: 1, perUser: 1 }));
  const failing = jobs.add(1, 'a1');
  void jobs.add(1, 'a2');
  await Promise.all([
    expect(failing).rejects.toThrow('no file handle'),
    jobs.end('a1', new Error('no file handle')),
  ]);
  expect(jobs.started).toEqual(['a1', 'a2']);
});

test('a job that had to wait runs in the context of its own request', async () => {
  const requests = new AsyncLocalStorage<string>();
  const queue = new FairQueue({ atOnce: 1, perUser: 1 });
  const seen = await Promise.all(
    ['first', 'second', 'third'].map((name, userId) =>
      requests.run(name, () => queue.run(userId, async () => requests.getStore())),
    ),
  );
  expect(seen).toEqual(['first', 'second', 'third']);
});
