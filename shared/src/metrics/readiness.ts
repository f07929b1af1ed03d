import type { Health } from '../process/health.ts';
import { gauge } from './registry.ts';
import { collectAtScrape } from './scrapeCollectors.ts';

const ok = gauge(
  'gradeway_check_ok',
  'What the process needs to be ready (`/readyz`): 1 for each thing that is there, 0 for each that is missing',
  ['check'],
);

/** Measures what readiness consists of. Returns how to stop. */
export function measureReadiness(health: Health): () => void {
  return collectAtScrape({
    async collect() {
      for (const [check, succeeded] of await health.checkResults()) ok.set({ check }, succeeded ? 1 : 0);
    },
    clear: () => ok.reset(),
  });
}
