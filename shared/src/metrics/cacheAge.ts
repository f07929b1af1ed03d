import { gauge } from './registry.ts';
import { collectAtScrape } from './scrapeCollectors.ts';

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
export interface CacheAge {
  renewed(): void;
  close(): void;
}

export function measureCacheAge(what: keyof typeof ages): CacheAge {
  let last = performance.now();
  const stop = collectAtScrape({
    collect: () => ages[what].set((performance.now() - last) / 1000),
    clear: () => ages[what].remove(),
  });
  return {
    renewed() {
      last = performance.now();
    },
    close: stop,
  };
}
