import { unavailable } from '@gradeway/shared/errors/appError';

interface Limits {
  /** How many run at the same time. */
  atOnce: number;
  /** How many wait for their turn; more are refused. */
  mostWaiting: number;
}

/**
 * Returns a function that runs work, `atOnce` pieces of it at the same time; the others wait in order.
 * @throws AppError `unavailable` from that function, when the queue is full
 */
export function limitConcurrency({ atOnce, mostWaiting }: Limits): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;

  const takeTurn = async (): Promise<void> => {
    if (running < atOnce) {
      running += 1;
      return;
    }
    if (waiting.length >= mostWaiting) throw unavailable('too much work waits already');
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  };

  // The turn is handed on, so that nobody who comes just now takes it from those who wait.
  const endTurn = (): void => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };

  return async (work) => {
    await takeTurn();
    try {
      return await work();
    } finally {
      endTurn();
    }
  };
}
