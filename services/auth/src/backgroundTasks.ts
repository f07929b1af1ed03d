import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@gradeway/shared/process/logger';

export interface BackgroundWork {
  /** Begins work that no answer waits for. Its failure is logged. */
  later(what: string, work: () => Promise<void>): void;
  /** Waits for what was begun, five seconds at most: a mail server that does not answer holds up no shutdown. */
  settled(): Promise<void>;
}

const longestWaitMs = 5_000;

export function createBackgroundWork(log: Logger): BackgroundWork {
  const running = new Set<Promise<void>>();
  return {
    later(what, work) {
      const task = work()
        .catch((error) => log.error({ err: error }, `${what} failed`))
        .finally(() => running.delete(task));
      running.add(task);
    },
    async settled() {
      await Promise.race([Promise.all(running), sleep(longestWaitMs, undefined, { ref: false })]);
    },
  };
}
