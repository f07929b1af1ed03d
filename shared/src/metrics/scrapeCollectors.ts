import pTimeout from 'p-timeout';

/** A measurement that runs only when Prometheus scrapes. */
interface ScrapeCollector {
  /** Sets the metric. A run longer than three seconds counts as failed. */
  collect(): Promise<void> | void;
  /** Removes the last value: after a failure the metric is absent instead of stale. */
  clear(): void;
}

// Longer than the limit of a readiness check (process/health.ts), shorter than Prometheus' scrape timeout.
const limitMs = 3_000;
// A collector that never settles must not block its metric forever: after this time a new run starts.
const abandonAfterMs = 30_000;

const collectors = new Set<() => Promise<void>>();

/** Runs the collector before each scrape. A failure never fails the scrape. Returns a function that unregisters it. */
export function collectAtScrape({ collect, clear }: ScrapeCollector): () => void {
  let running: { since: number; ended: Promise<boolean> } | undefined;

  // While a run is pending, the next scrape waits for it instead of starting a second one.
  function start() {
    const ended = Promise.resolve()
      .then(collect)
      .then(
        () => true,
        () => false,
      );
    const own = { since: Date.now(), ended };
    void ended.then(() => {
      if (running === own) running = undefined;
    });
    return own;
  }

  const run = async () => {
    if (!running || Date.now() - running.since > abandonAfterMs) running = start();
    const succeeded = await pTimeout(running.ended, { milliseconds: limitMs, fallback: () => false });
    if (!succeeded) clear();
  };
  collectors.add(run);
  return () => {
    collectors.delete(run);
    clear();
  };
}

/** Runs every collector concurrently. Never rejects. */
export async function runScrapeCollectors(): Promise<void> {
  await Promise.all([...collectors].map((run) => run()));
}
