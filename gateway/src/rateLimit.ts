import { AppError } from '@gradeway/shared/appError';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';

export interface RateLimit {
  /** Counts one. @throws AppError 429 when that is one too many */
  count(key: string): Promise<void>;
  /** Counts nothing. @throws AppError 429 when the limit has been reached */
  check(key: string): Promise<void>;
}

/** So many in a window, for each key; kept in this process. 0 is no limit. */
export function createRateLimit(points: number, seconds: number): RateLimit {
  if (points === 0) return { count: async () => {}, check: async () => {} };
  const limiter = new RateLimiterMemory({ points, duration: seconds });
  return {
    async count(key) {
      try {
        await limiter.consume(key);
      } catch (state) {
        throw tooMany(state as RateLimiterRes);
      }
    },
    async check(key) {
      const state = await limiter.get(key);
      if (state && state.consumedPoints >= points) throw tooMany(state);
    },
  };
}

const tooMany = ({ msBeforeNext }: RateLimiterRes) =>
  new AppError('too_many_requests', 'Too Many Requests', {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(msBeforeNext / 1000))) },
  });

/** An address as limits count it: of IPv6 the network, since a single customer has 2^64 addresses. */
export function addressKey(address = ''): string {
  if (!address.includes(':') || address.includes('.')) return `address ${address}`;
  const [head = '', tail = ''] = address.split('::');
  const groups = [...head.split(':').filter(Boolean)];
  const missing = 8 - groups.length - tail.split(':').filter(Boolean).length;
  const full = address.includes('::') ? [...groups, ...Array<string>(missing).fill('0')] : groups;
  return `address ${full.slice(0, 4).join(':')}`;
}
