/** What is measured only when Prometheus asks. */
interface Reading {
  /** Measures. One that takes longer than three seconds counts as failed. */
  read(): Promise<void> | void;
  /** Takes back what was measured last: after a failure there is no value, rather than an old one. */
  forget(): void;
}

// Longer than a readiness check may take (health.ts), shorter than Prometheus waits for the page.
const limitMs = 3_000;
// A reading that never ends must not end the measuring: after this it is given up and started anew.
const givenUpMs = 30_000;

const readings = new Set<() => Promise<void>>();

/** Takes the reading before each scrape; whatever becomes of it, the scrape succeeds. Returns how to stop. */
export function readAtScrape({ read, forget }: Reading): () => void {
  let running: { since: number; ended: Promise<boolean> } | undefined;

  // A slow reading is waited for again by the next scrape, not started a second time beside itself.
  function start() {
    const ended = Promise.resolve()
      .then(read)
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

  const take = async () => {
    if (!running || Date.now() - running.since > givenUpMs) running = start();
    if (!(await within(limitMs, running.ended))) forget();
  };
  readings.add(take);
  return () => {
    readings.delete(take);
    forget();
  };
}

/** Takes every reading, all at the same time. Never fails. */
export async function takeReadings(): Promise<void> {
  await Promise.all([...readings].map((take) => take()));
}

async function within(ms: number, ended: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const succeeded = await Promise.race([ended, late]);
  clearTimeout(timer);
  return succeeded;
}
