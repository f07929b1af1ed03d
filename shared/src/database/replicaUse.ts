import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../process/logger.ts';

interface Options {
  /** Rejects while the replica cannot be used. */
  probe(): Promise<void>;
  /** Pause after a failure, and between failed probes. */
  pauseMs: number;
  log: Logger;
}

/**
 * Decides whether the replica is used: after a first probe succeeds, and after a failure once a probe succeeds again.
 * Only probes find out, never a request.
 */
export class ReplicaUse {
  readonly #options: Options;
  readonly #stopping = new AbortController();
  #isUsed = false;
  #ended: Promise<void>;

  constructor(options: Options) {
    this.#options = options;
    this.#ended = this.#probe(0);
  }

  get isUsed(): boolean {
    return this.#isUsed;
  }

  /** Stops using the replica after a failure, until a probe succeeds. */
  leave(error: unknown): void {
    if (!this.#isUsed) return;
    this.#isUsed = false;
    this.#warn(error);
    this.#ended = this.#probe(this.#options.pauseMs);
  }

  /** Stops the probes. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #probe(firstPauseMs: number): Promise<void> {
    const { signal } = this.#stopping;
    const { probe, pauseMs, log } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const pause = attempt === 1 ? firstPauseMs : pauseMs;
      await sleep(pause, undefined, { ref: false, signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await probe();
        this.#isUsed = true;
        log.info('lists are read from the read replica');
        return;
      } catch (error) {
        // One line is enough for a lasting failure.
        if (attempt === 1 && firstPauseMs === 0) this.#warn(error);
      }
    }
  }

  #warn(error: unknown): void {
    this.#options.log.warn(
      { err: error },
      'the read replica cannot be used; lists are read from the primary until it can',
    );
  }
}
