import { setTimeout as sleep } from 'node:timers/promises';
import pTimeout from 'p-timeout';

const firstPauseMs = 50;
const longestPauseMs = 500;

interface Options {
  /** How long after its beginning an outage is waited for. */
  limitMs: number;
  /** How many may wait at once. */
  maxWaiting: number;
  /** Opens and releases a connection. Rejects while the database is unreachable. */
  probe(): Promise<unknown>;
}

/**
 * The state of an unreachable database: since when it is unreachable, and the requests that wait for it. One attempt at a
 * time checks whether it is available again, regardless of the number of waiting requests.
 */
export class Outage {
  readonly #options: Options;
  #current: { startedAt: number; over: PromiseWithResolvers<boolean> } | undefined;
  #isProbing = false;
  #waiting = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** The number of waiting requests. */
  get waiting(): number {
    return this.#waiting;
  }

  /** When waiting requests fail, in milliseconds since the epoch; undefined while the database is reachable. */
  get waitsUntil(): number | undefined {
    return this.#current && this.#current.startedAt + this.#options.limitMs;
  }

  /** Records an attempt that failed. The first one begins the outage. */
  failed(attemptedAt: number): void {
    this.#current ??= { startedAt: attemptedAt, over: Promise.withResolvers() };
  }

  /** Records an attempt that succeeded, which ends the outage. */
  succeeded(): void {
    this.#current?.over.resolve(true);
    this.#current = undefined;
  }

  /** Waits for the end of the outage. False when it lasts longer than `until`, or when too many wait already. */
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
