export interface Polling {
  /** There may be something to do: look now. */
  wake(): void;
  /** Lets the round under way end, then stops. */
  stop(): Promise<void>;
}

interface Options {
  /** Does what there is to do. True when there may be more, which is then done without a pause. */
  round(): Promise<boolean>;
  /** Called at the first failure of several in a row. */
  onFailure(error: unknown): void;
}

const pollMs = 1_000;
const longestPauseMs = 5_000;

/** Works a table off: when woken, and every second in any case; slower while it fails. */
export function startPolling({ round, onFailure }: Options): Polling {
  let stopped = false;
  let woken = false;
  let failures = 0;
  let endPause: () => void = () => {};

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
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
      // A wake-up does not shorten the pause after a failure: what is away is not back because somebody wrote.
      if (failures > 0) await pause(Math.min(pollMs * failures, longestPauseMs));
      else if (!woken && !stopped) await pause(pollMs);
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
