import { AppError } from '@gradeway/shared/errors/appError';
import { networkOf } from '@gradeway/shared/http/clientAddress';
import { counter } from '@gradeway/shared/metrics/registry';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

export interface RateLimit {
  /** Counts one request. @throws AppError 429 when it exceeds the limit */
  count(key: string): Promise<void>;
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
export function tooManyRequests(limit: string, retryAfterMs: number): AppError {
  refusals.inc({ limit });
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) };
  return new AppError('too_many_requests', 'Too Many Requests', { headers });
}

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
