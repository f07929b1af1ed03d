import { AppError } from '@gradeway/shared/errors/appError';
import { networkOf } from '@gradeway/shared/http/clientAddress';
import { counter } from '@gradeway/shared/metrics/registry';
import type { Response } from 'express';
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { announce } from '../forwarding/responseHeaders.ts';
import type { LimitStore } from './limitStore.ts';

export interface RateLimit {
  /**
   * Counts one request. With `res`, the response says how many requests are left
   * (draft-ietf-httpapi-ratelimit-headers).
   * @throws AppError 429 when it exceeds the limit
   */
  count(key: string, res?: Response): Promise<void>;
  /**
   * Counts one request in advance. Returns a function to undo this or, when the limit has been reached, one that throws the
   * refusal and counts it in the metrics.
   */
  reserve(key: string): Promise<Reservation>;
}

type Reservation = { giveBack(): void } | { refuse(): never };

const refusals = counter('gradeway_rate_limit_refusals_total', 'Requests rejected with 429 by the gateway', [
  'limit',
]);

/** Creates the refusal of a request and counts it. `limit` is a metric label. */
export function tooManyRequests(limit: string, retryAfterMs: number, headers = {}): AppError {
  refusals.inc({ limit });
  return new AppError('too_many_requests', 'Too Many Requests', {
    headers: { 'Retry-After': String(secondsOf(retryAfterMs)), ...headers },
  });
}

const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/** Exports a limit's metric before its first refusal. */
export function declareLimit(limit: string): void {
  refusals.inc({ limit }, 0);
}

/** A request that was counted or refused. */
interface Counted {
  state: RateLimiterRes;
  isRefused: boolean;
  /** Undoes the count where it was made. A limiter in memory also counts refused requests. */
  undo(): Promise<unknown>;
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<Counted> {
  const undo = () => limiter.reward(key).catch(() => {});
  try {
    return { state: await limiter.consume(key), isRefused: false, undo };
  } catch (state) {
    if (!(state instanceof RateLimiterRes)) throw state;
    const countsRefused = limiter instanceof RateLimiterMemory;
    return { state, isRefused: true, undo: countsRefused ? undo : async () => {} };
  }
}

/**
 * Limits each key to `points` per window: in the store, where all replicas count together, or in the memory of this process
 * if there is none or while it does not respond. 0 means no limit. `name` is a metric label.
 */
export function createRateLimit(
  name: 'requests' | 'links' | 'files' | 'logins' | 'codes',
  points: number,
  seconds: number,
  store?: LimitStore,
): RateLimit {
  declareLimit(name);
  if (points === 0) return { count: async () => {}, reserve: async () => ({ giveBack: () => {} }) };
  const memory = new RateLimiterMemory({ points, duration: seconds });
  const countLocally = (key: string) => consume(memory, key);
  const countRequest = store ? countTogether(store) : countLocally;

  function countTogether({ createLimiter, attempt, keyOf }: LimitStore) {
    const shared = createLimiter(name, points, seconds);
    return (key: string) =>
      attempt(
        () => consume(shared, keyOf(key)),
        () => countLocally(key),
      );
  }

  const policy = `"default";q=${points};w=${seconds}`;
  const quota = ({ remainingPoints, msBeforeNext }: RateLimiterRes): string =>
    `"default";r=${remainingPoints};t=${secondsOf(msBeforeNext)}`;
  // The other limits allow more requests than this one, or count only failures.
  const quotaHeaders = (state: RateLimiterRes) =>
    name === 'requests' ? { RateLimit: quota(state), 'RateLimit-Policy': policy } : {};
  const tooMany = (state: RateLimiterRes) => tooManyRequests(name, state.msBeforeNext, quotaHeaders(state));

  return {
    async count(key, res) {
      const { state, isRefused } = await countRequest(key);
      if (isRefused) throw tooMany(state);
      if (!res) return;
      announce(res, 'RateLimit', quota(state));
      announce(res, 'RateLimit-Policy', policy);
    },
    async reserve(key) {
      const startedAt = performance.now();
      const { state, isRefused, undo } = await countRequest(key);
      if (isRefused) {
        await undo();
        return {
          refuse() {
            throw tooMany(state);
          },
        };
      }
      // A later window does not include the request.
      const endsAt = startedAt + state.msBeforeNext;
      return { giveBack: () => void (performance.now() < endsAt && undo()) };
    },
  };
}

export const addressKey = (address = ''): string => `address ${networkOf(address)}`;
