import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { unavailable } from '../errors/appError.ts';
import { measureCacheAge } from '../metrics/cacheAge.ts';
import type { Logger } from '../process/logger.ts';
import type { TokenKeys } from './accessToken.ts';

export interface RemoteKeys extends TokenKeys {
  /** True once the keys were fetched. */
  loaded(): boolean;
  close(): void;
}

interface Options {
  url: string;
  log: Logger;
  /** How often the keys are fetched anew anyway, in milliseconds. */
  refreshMs?: number;
  /** The least time between two fetches that unknown keys ask for, in milliseconds. */
  cooldownMs?: number;
}

/**
 * Auth's public keys, fetched from its JWKS and kept. A token signed with a key not seen yet asks for a fetch,
 * at most once per cooldown whatever strangers send; so keys rotate without logging anyone out (D11). When
 * auth cannot be reached the keys known so far go on counting.
 */
export function fetchKeys({ url, log, refreshMs = 300_000, cooldownMs = 5_000 }: Options): RemoteKeys {
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
    lastFetch = Date.now();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      keys = readKeys((await response.json()) as { keys: JsonWebKey[] });
      cacheAge.renewed();
    } catch (error) {
      log.warn({ err: error }, 'could not fetch the token keys');
    }
  }

  let timer: NodeJS.Timeout;
  const keepFresh = async () => {
    await refresh();
    // Until they were fetched once, try again soon: nothing can be served without them.
    timer = setTimeout(keepFresh, keys ? refreshMs : 250);
    timer.unref();
  };
  void keepFresh();

  return {
    loaded: () => keys !== undefined,
    close() {
      clearTimeout(timer);
      cacheAge.close();
    },
    async find(kid) {
      const known = keys?.get(kid);
      if (known) return known;
      if (!keys || Date.now() - lastFetch >= cooldownMs) await refresh();
      if (!keys) throw unavailable('the token keys have not been fetched yet');
      return keys.get(kid);
    },
  };
}

function readKeys(set: { keys: (JsonWebKey & { kid?: string; alg?: string })[] }): Map<string, KeyObject> {
  const usable = set.keys.filter((key) => key.kid && key.kty === 'EC' && key.crv === 'P-256');
  return new Map(usable.map((key) => [key.kid ?? '', createPublicKey({ key, format: 'jwk' })]));
}
