export interface Polling {
  /** Starts a round now, or right after the current one. Call it when there is new work. */
  wake(): void;
  /** Starts no further rounds. Resolves when the current round has ended. */
  stop(): Promise<void>;
}

interface Options {
  /** Processes available work. Returns true if there may be more; the next round then starts without a pause. */
  round(): Promise<boolean>;
  /** Called for the first of several consecutive failures. */
  onFailure(error: unknown): void;
  /**
   * Pause between rounds, in milliseconds. This is how long work can go unnoticed if nothing wakes this process. A
   * function is called before each pause.
   */
  intervalMs?: number | (() => number);
  /** Pause after the first of several consecutive failures, in milliseconds. The n-th pause is n times as long. */
  retryMs?: number;
  /** Maximum pause after a failure, in milliseconds. */
  maxBackoffMs?: number;
}

/** Polls for work: periodically, when woken, and less often while it fails. */
export function startPolling({
  round,
  onFailure,
  intervalMs = 1_000,
  retryMs = 1_000,
  maxBackoffMs = 5_000,
}: Options): Polling {
  let stopped = false;
  let woken = false;
  let failures = 0;
  let endPause: () => void = () => {};

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function run(): Promise<void> {
    while (!stopped) {
      woken = false;
      try {
        const more = await round();
        failures = 0;
        if (more) continue;
      } catch (error) {
        failures += 1;
        if (failures === 1) onFailure(error);
      }
      if (stopped) return;
      // A wake-up does not shorten the pause after a failure: new work does not bring back an unreachable peer.
      if (failures > 0) await pause(Math.min(retryMs * failures, maxBackoffMs));
      else if (!woken) await pause(typeof intervalMs === 'function' ? intervalMs() : intervalMs);
    }
  }

  const running = run();
  return {
    wake() {
      woken = true;
      if (failures === 0) endPause();
    },
    async stop() {
      stopped = true;
      endPause();
      await running;
    },
  };
}
