import { createHmac } from 'node:crypto';
import { counter } from '@gradeway/shared/metrics/registry';
import type { Logger } from '@gradeway/shared/process/logger';
import { type RateLimiterAbstract, RateLimiterRedis } from 'rate-limiter-flexible';

/** A Valkey or Redis server in which all replicas of the gateway count together. */
export interface LimitStore {
  /**
   * Creates a limiter that does not count what it refuses. It rejects with an error other than RateLimiterRes if the store does
   * not respond in time.
   */
  createLimiter(name: string, points: number, seconds: number): RateLimiterAbstract;
  /** The key in the store: a keyed hash, because keys contain addresses. */
  keyOf(key: string): string;
  /** Runs `together` or, if the store does not respond in time, `locally`. */
  attempt<T>(together: () => Promise<T>, locally: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

interface Options {
  url: string;
  /** The same in all replicas. */
  secret: string;
  log: Logger;
}

// What a request waits at most for its count. A pause of the garbage collector is shorter.
const commandTimeout = 250;
// A connection on which nothing arrives for so long is replaced. Until the new one is ready, no request waits.
const socketTimeout = 500;
const connectTimeout = 1_000;
const maxRetryDelay = 1_000;
// Every request may fail during an outage: only a failure after so long without one is logged.
const quietMs = 60_000;

// Refused requests are not counted, so that those of one replica never take the place of requests of another. What is undone
// after the end of its window must not raise the limit of the next one.
const countScript = `
local change, limit = tonumber(ARGV[1]), tonumber(ARGV[3])
local counted = tonumber(redis.call('get', KEYS[1]) or '0')
if (change > 0 and counted + change > limit) or (change < 0 and counted == 0) then
  return {counted + change, redis.call('pttl', KEYS[1])}
end
redis.call('set', KEYS[1], 0, 'EX', ARGV[2], 'NX')
return {redis.call('incrby', KEYS[1], change), redis.call('pttl', KEYS[1])}
`;

const failures = counter(
  'gradeway_rate_limit_store_errors_total',
  'Requests that a replica counted alone because the store of the limits did not respond in time',
);

/**
 * Connects to the store, which may be away: requests never wait for a connection. Unlike the `insuranceLimiter` of
 * rate-limiter-flexible, {@link LimitStore.attempt} shows failures, and its caller knows where a request was counted.
 */
export async function openLimitStore({ url, secret, log }: Options): Promise<LimitStore> {
  // Loaded only if it is used.
  const { Redis } = await import('ioredis');
  const client = new Redis(url, {
    commandTimeout,
    socketTimeout,
    connectTimeout,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempts) => Math.min(attempts * 50, maxRetryDelay),
  });
  const hashKey = createHmac('sha256', secret).update('keys of the rate limits').digest();
  let connectionError: string | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;

  function warn(error: unknown): void {
    const isNew = performance.now() - failedAt > quietMs;
    failedAt = performance.now();
    const reason = connectionError ?? reasonOf(error);
    if (isNew) log.warn({ reason }, 'the store of the limits does not respond; this replica counts alone');
  }

  client.on('error', (error) => {
    connectionError = reasonOf(error);
  });
  client.on('ready', () => {
    connectionError = undefined;
    if (failedAt > 0) log.info('the store of the limits responds again');
    failedAt = Number.NEGATIVE_INFINITY;
  });
  await client.connect().catch(warn);

  return {
    createLimiter: (name, points, seconds) =>
      new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `gradeway:${name}`,
        points,
        duration: seconds,
        rejectIfRedisNotReady: true,
        customIncrTtlLuaScript: countScript,
      }),
    keyOf: (key) => createHmac('sha256', hashKey).update(key).digest('base64url'),
    async attempt(together, locally) {
      try {
        return await together();
      } catch (error) {
        failures.inc();
        warn(error);
        return locally();
      }
    },
    async close() {
      await client.quit().catch(() => client.disconnect());
    },
  };
}

// Not the whole error: errors of the client have the command as a property, and that of AUTH contains the password.
const reasonOf = (error: unknown): string =>
  (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : 'unknown');
