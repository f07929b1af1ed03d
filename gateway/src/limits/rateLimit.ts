import { AppError } from '@gradeway/shared/errors/appError';
import { networkOf } from '@gradeway/shared/http/clientAddress';
import { counter } from '@gradeway/shared/metrics/registry';
import type { Response } from 'express';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { announce } from '../forwarding/responseHeaders.ts';

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

/** Limits each key to `points` per window, in the memory of this process. 0 means no limit. `name` is a metric label. */
export function createRateLimit(
  name: 'requests' | 'links' | 'files' | 'logins' | 'codes',
  points: number,
  seconds: number,
): RateLimit {
  declareLimit(name);
  if (points === 0) return { count: async () => {}, reserve: async () => ({ giveBack: () => {} }) };
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  const policy = `"default";q=${points};w=${seconds}`;
  const quota = ({ remainingPoints, msBeforeNext }: RateLimiterRes): string =>
    `"default";r=${remainingPoints};t=${secondsOf(msBeforeNext)}`;
  // The other limits allow more requests than this one, or count only failures.
  const quotaHeaders = (state: RateLimiterRes) =>
    name === 'requests' ? { RateLimit: quota(state), 'RateLimit-Policy': policy } : {};
  const tooMany = (state: RateLimiterRes) => tooManyRequests(name, state.msBeforeNext, quotaHeaders(state));

  return {
    async count(key, res) {
      try {
        const state = await limiter.consume(key);
        if (!res) return;
        announce(res, 'RateLimit', quota(state));
        announce(res, 'RateLimit-Policy', policy);
      } catch (state) {
        throw tooMany(state as RateLimiterRes);
      }
    },
    async reserve(key) {
      const reward = () => limiter.reward(key).catch(() => {});
      try {
        const { msBeforeNext } = await limiter.consume(key);
        // A later window does not include the request.
        const endsAt = performance.now() + msBeforeNext;
        return { giveBack: () => void (performance.now() < endsAt && reward()) };
      } catch (state) {
        // The limiter also counts refused requests.
        await reward();
        return {
          refuse() {
            throw tooMany(state as RateLimiterRes);
          },
        };
      }
    },
  };
}

export const addressKey = (address = ''): string => `address ${networkOf(address)}`;
