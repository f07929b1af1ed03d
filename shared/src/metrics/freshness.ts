import { readAtScrape } from './readings.ts';
import { gauge } from './registry.ts';

const ages = {
  revocations: gauge(
    'gradeway_revocations_age_seconds',
    'Since auth was last asked with success which sessions have ended; until then their tokens count here',
  ),
  keys: gauge(
    'gradeway_token_keys_age_seconds',
    'Since the public keys of tokens were last fetched with success',
  ),
};

/** How old is what this process knows of auth. Counted from now until the first success. */
export interface Freshness {
  renewed(): void;
  close(): void;
}

export function measureFreshness(what: keyof typeof ages): Freshness {
  let last = performance.now();
  const stop = readAtScrape({
    read: () => ages[what].set((performance.now() - last) / 1000),
    forget: () => ages[what].remove(),
  });
  return {
    renewed() {
      last = performance.now();
    },
    close: stop,
  };
}
