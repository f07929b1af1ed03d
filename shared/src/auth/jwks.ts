import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { unavailable } from '../errors/appError.ts';
import type { Logger } from '../process/logger.ts';
import { outageLevel } from '../process/outageLevel.ts';
import { runEvery } from '../process/runEvery.ts';
import type { TokenKeys } from './accessToken.ts';
import { measureCacheAge } from './cacheMetrics.ts';

export interface RemoteKeySet extends TokenKeys {
  /** True once the keys have been fetched. */
  loaded(): boolean;
  /** Fetches the keys now, because they have changed. */
  refresh(): void;
  close(): Promise<void>;
}

interface Options {
  url: string;
  log: Logger;
  /** How often the keys are refreshed, in milliseconds. */
  refreshMs?: number;
  /** Minimum time between two refreshes triggered by unknown key ids, in milliseconds. */
  cooldownMs?: number;
}

// Short, because no token can be verified before the first success.
const firstRetryMs = 250;

/**
 * Fetches auth's JWKS and caches its keys. An unknown key id triggers a refresh, so that keys can rotate without
 * logging anyone out (D11). The cooldown limits the requests to auth that forged key ids can cause. Cached keys remain
 * valid while auth is unreachable. jose and jwks-rsa would not make this shorter: jose's cooldown only begins after a
 * successful fetch, and jwks-rsa cannot refresh keys it has cached.
 */
export function createRemoteKeySet({
  url,
  log,
  refreshMs = 300_000,
  cooldownMs = 1_000,
}: Options): RemoteKeySet {
  const cacheAge = measureCacheAge('keys');
  let keys: Map<string, KeyObject> | undefined;
  let fetching: Promise<void> | undefined;
  let lastFetch = 0;

  const refresh = (): Promise<void> => {
    fetching ??= load().finally(() => {
      fetching = undefined;
    });
    return fetching;
  };

  async function load(): Promise<void> {
    lastFetch = performance.now();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      if (!response.ok) throw new Error(`${url} responded with status ${response.status}`);
      keys = readKeys((await response.json()) as { keys: JsonWebKey[] });
      cacheAge.refreshed();
    } catch (error) {
      log[outageLevel(keys !== undefined)]({ err: error }, 'could not fetch the token keys');
    }
  }

  const stopRefreshing = runEvery({
    everyMs: () => (keys ? refreshMs : firstRetryMs),
    startNow: true,
    task: refresh,
    log,
    failureMessage: 'could not refresh the token keys',
  });

  return {
    loaded: () => keys !== undefined,
    refresh: () => void refresh(),
    async close() {
      cacheAge.close();
      await stopRefreshing();
    },
    async find(kid) {
      const known = keys?.get(kid);
      if (known) return known;
      if (!keys || performance.now() - lastFetch >= cooldownMs) await refresh();
      if (!keys) throw unavailable('the token keys have not been fetched yet');
      return keys.get(kid);
    },
  };
}

function readKeys(set: { keys: (JsonWebKey & { kid?: string; alg?: string })[] }): Map<string, KeyObject> {
  const usable = set.keys.filter((key) => key.kid && key.kty === 'EC' && key.crv === 'P-256');
  return new Map(usable.map((key) => [key.kid ?? '', createPublicKey({ key, format: 'jwk' })]));
}
