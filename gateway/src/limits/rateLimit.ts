import { AppError } from '@gradeway/shared/errors/appError';
import { networkOf } from '@gradeway/shared/http/clientAddress';
import { counter } from '@gradeway/shared/metrics/registry';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

export interface RateLimit {
  /** Counts one request. @throws AppError 429 when it exceeds the limit */
  count(key: string): Promise<void>;
  /**
   * Counts one request in advance and returns how to take it back, or the refusal when the limit has been reached. The
   * refusal counts in the metrics only when it is thrown.
   */
  reserve(key: string): Promise<Reservation>;
}

type Reservation = { giveBack(): void } | { refuse(): never };

const refusals = counter('gradeway_rate_limit_refusals_total', 'Requests answered 429 by the gateway', [
  'limit',
]);

/** Counts a refusal under the name of its limit, which is a metric label, and returns it. */
export function tooManyRequests(limit: string, retryAfterMs: number): AppError {
  refusals.inc({ limit });
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
  return new AppError('too_many_requests', 'Too Many Requests', { headers });
}

/** Makes the metric of a limit exist before its first refusal. */
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
  const tooMany = ({ msBeforeNext }: RateLimiterRes) => tooManyRequests(name, msBeforeNext);

  return {
    async count(key) {
      try {
        await limiter.consume(key);
      } catch (state) {
        throw tooMany(state as RateLimiterRes);
      }
    },
    async reserve(key) {
      const reward = () => limiter.reward(key).catch(() => {});
      try {
        const { msBeforeNext } = await limiter.consume(key);
        // A later window has not counted it.
        const endsAt = performance.now() + msBeforeNext;
        return { giveBack: () => void (performance.now() < endsAt && reward()) };
      } catch (state) {
        // The limiter counts refused requests as well.
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
