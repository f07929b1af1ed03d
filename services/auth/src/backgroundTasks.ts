import type { Logger } from '@gradeway/shared/process/logger';
import pTimeout from 'p-timeout';

export interface BackgroundTasks {
  /** Starts a task that no response waits for. Logs a failure with the task's name. */
  start(name: string, task: () => Promise<void>): void;
  /** Waits at most five seconds for the running tasks: a hung mail server must not block the shutdown. */
  drain(): Promise<void>;
}

const drainTimeoutMs = 5_000;

export function createBackgroundTasks(log: Logger): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    start(name, task) {
      const run = task()
        .catch((error) => log.error({ err: error, task: name }, 'background task failed'))
        .finally(() => running.delete(run));
      running.add(run);
    },
    async drain() {
      await pTimeout(Promise.all(running), { milliseconds: drainTimeoutMs, message: false });
    },
  };
}
