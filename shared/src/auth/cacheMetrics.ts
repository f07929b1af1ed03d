import { gauge } from '../metrics/registry.ts';
import { collectAtScrape } from '../metrics/scrapeCollectors.ts';

const ages = {
  revocations: gauge(
    'gradeway_revocations_age_seconds',
    'Time since auth read the entries of the revocation list; tokens revoked since then are still accepted',
  ),
  keys: gauge(
    'gradeway_token_keys_age_seconds',
    'Time since the public keys of access tokens were last fetched from auth',
  ),
};

/** The age of data cached from auth. Until the first fetch, it counts from the creation of the cache. */
export interface CacheAge {
  /** Records that the data is complete up to `asOf`, a time of `performance.now()`. Ignores earlier times. */
  refreshed(asOf?: number): void;
  close(): void;
}

export function measureCacheAge(what: keyof typeof ages): CacheAge {
  let last = performance.now();
  const stop = collectAtScrape({
    collect: () => ages[what].set((performance.now() - last) / 1000),
    clear: () => ages[what].remove(),
  });
  return {
    refreshed(asOf = performance.now()) {
      last = Math.max(last, asOf);
    },
    close: stop,
  };
}
