import type { Health } from '../health.ts';
import { readAtScrape } from './readings.ts';
import { gauge } from './registry.ts';

const ok = gauge(
  'gradeway_check_ok',
  'What the process needs to be ready (`/readyz`): 1 for each thing that is there, 0 for each that is missing',
  ['check'],
);

/** Measures what readiness consists of. Returns how to stop. */
export function measureReadiness(health: Health): () => void {
  return readAtScrape({
    async read() {
      for (const [check, succeeded] of await health.results()) ok.set({ check }, succeeded ? 1 : 0);
    },
    forget: () => ok.reset(),
  });
}
