interface Waiting {
  inc(): void;
  dec(): void;
}

interface Duration<Outcome extends string> {
  observe(labels: { outcome: Outcome }, seconds: number): void;
}

/**
 * Starts measuring queued work. `started` ends the wait, `ended` the work. Work that ends before it has started, for
 * example because its queue was closed, records no duration.
 */
export function measureQueuedWork<Outcome extends string>(waiting: Waiting, duration: Duration<Outcome>) {
  let startedAt: number | undefined;
  waiting.inc();
  return {
    started() {
      waiting.dec();
      startedAt = performance.now();
    },
    ended(outcome: Outcome) {
      if (startedAt === undefined) waiting.dec();
      else duration.observe({ outcome }, (performance.now() - startedAt) / 1000);
    },
  };
}
