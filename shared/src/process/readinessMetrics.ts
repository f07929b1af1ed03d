import { gauge } from '../metrics/registry.ts';
import { collectAtScrape } from '../metrics/scrapeCollectors.ts';
import type { Health } from './health.ts';

const ok = gauge(
  'gradeway_check_ok',
  'Readiness checks (`/readyz`): 1 if the check succeeds, 0 if it fails',
  ['check'],
);

/** Runs the readiness checks on each scrape and exports their results. Returns a function that stops measuring. */
export function measureReadiness(health: Health): () => void {
  return collectAtScrape({
    async collect() {
      for (const [check, succeeded] of await health.checkResults()) ok.set({ check }, succeeded ? 1 : 0);
    },
    clear: () => ok.reset(),
  });
}
