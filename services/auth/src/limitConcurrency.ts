import { unavailable } from '@gradeway/shared/errors/appError';

interface Limits {
  maxRunning: number;
  /** Longest queue; tasks beyond it are rejected. */
  maxQueued: number;
}

/**
 * Returns a function that runs tasks, at most `maxRunning` at a time; further tasks queue in order.
 * @throws AppError `unavailable` from that function when the queue is full
 */
export function limitConcurrency({
  maxRunning,
  maxQueued,
}: Limits): <T>(task: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = [];
  let running = 0;

  const acquireSlot = async (): Promise<void> => {
    if (running < maxRunning) {
      running += 1;
      return;
    }
    if (queue.length >= maxQueued) throw unavailable('the task queue is full');
    await new Promise<void>((resolve) => {
      queue.push(resolve);
    });
  };

  // The slot passes directly to the next in the queue, so that a task that arrives now cannot overtake it.
  const releaseSlot = (): void => {
    const next = queue.shift();
    if (next) next();
    else running -= 1;
  };

  return async (task) => {
    await acquireSlot();
    try {
      return await task();
    } finally {
      releaseSlot();
    }
  };
}
