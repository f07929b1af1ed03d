import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';

const firstPauseMs = 50;
const longestPauseMs = 500;

interface Options {
  /** How long requests wait, counted from the start of the outage. */
  limitMs: number;
  /** Max number of requests that wait at once. */
  maxWaiting: number;
  /** Opens and releases a connection. Rejects while the database is unreachable. */
  probe(): Promise<unknown>;
}

/**
 * Tracks an unreachable database: when the outage began, and which requests wait for its end. One probe at a time
 * checks whether the database is back, however many requests wait.
 */
export class Outage {
  readonly #options: Options;
  #current: { startedAt: number; over: PromiseWithResolvers<boolean> } | undefined;
  #isProbing = false;
  #waiting = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** When waiting requests fail, in milliseconds since the epoch. Undefined while the database is reachable. */
  get waitsUntil(): number | undefined {
    return this.#current && this.#current.startedAt + this.#options.limitMs;
  }

  /** Records a failed attempt. The first one starts the outage. */
  failed(attemptedAt: number): void {
    this.#current ??= { startedAt: attemptedAt, over: Promise.withResolvers() };
  }

  /** Records a successful attempt, which ends the outage. */
  succeeded(): void {
    this.#current?.over.resolve(true);
    this.#current = undefined;
  }

  /** Waits for the outage to end. Returns false if it lasts beyond `until`, or if too many requests already wait. */
  async wait(until: number): Promise<boolean> {
    const outage = this.#current;
    if (!outage) return true;
    const milliseconds = until - Date.now();
    if (milliseconds <= 0 || this.#waiting >= this.#options.maxWaiting) return false;
    this.#waiting += 1;
    void this.#probe();
    try {
      return await pTimeout(outage.over.promise, { milliseconds, fallback: () => false });
    } finally {
      this.#waiting -= 1;
    }
  }

  async #probe(): Promise<void> {
    if (this.#isProbing) return;
    this.#isProbing = true;
    for (let pauseMs = firstPauseMs; this.#waiting > 0; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      await sleep(pauseMs);
      await this.#options.probe().then(
        () => this.succeeded(),
        () => {},
      );
    }
    this.#isProbing = false;
  }
}
