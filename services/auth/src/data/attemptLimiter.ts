import { query } from '@gradeway/shared/database/query';
import { AppError } from '@gradeway/shared/errors/appError';
import type { Sequelize } from 'sequelize';
import type { Failures } from '../domain/loginAttempt.ts';

interface Options {
  /** The kind of attempt. Each purpose has its own counters. */
  purpose: string;
  /** Maximum attempts within the window; 0 = no limit. */
  limit: number;
  /** 15 minutes by default. */
  windowSeconds?: number | undefined;
}

const defaultWindowSeconds = 900;

// A fixed window: it starts with the first attempt and ends after its duration, regardless of later attempts.
const increment = `
  INSERT INTO attempts (key, count, expires_at) VALUES ($1, 1, now() + $2 * interval '1 second')
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN attempts.expires_at > now() THEN attempts.count + 1 ELSE 1 END,
    expires_at = CASE WHEN attempts.expires_at > now() THEN attempts.expires_at ELSE excluded.expires_at END
  RETURNING count, ceil(extract(epoch FROM expires_at - now()))::integer AS "secondsLeft"`;

const read = `
  SELECT count, ceil(extract(epoch FROM expires_at - now()))::integer AS "secondsLeft"
  FROM attempts WHERE key = $1 AND expires_at > now()`;

const none: Failures = { count: 0, secondsLeft: 0 };

/**
 * Limits attempts under one key, such as an account, whether or not it exists. The counters are in the database, so
 * that all replicas share one limit.
 */
export class AttemptLimiter {
  readonly #db: Sequelize;
  readonly #options: Options;

  constructor(sequelize: Sequelize, options: Options) {
    this.#db = sequelize;
    this.#options = options;
  }

  /** Counts an attempt and returns whether it is within the limit. */
  async tryAcquire(key: string): Promise<boolean> {
    const { limit } = this.#options;
    return limit === 0 || (await this.#increment(key)).count <= limit;
  }

  /**
   * Runs `attempt` unless too many attempts have failed already. A result of undefined counts as a failure; a success
   * does not reset the count.
   *
   * Simultaneous attempts all run, but once the limit is reached even a correct one is rejected. A burst therefore
   * reveals no more than the same attempts in sequence, and simultaneous correct logins do not block each other.
   * @throws AppError `too_many_requests` if too many attempts have failed
   */
  async limitFailures<T>(key: string, attempt: () => Promise<T | undefined>): Promise<T | undefined> {
    await this.requireFew(key);
    const result = await attempt();
    if (result !== undefined) await this.requireFew(key);
    else await this.countFailure(key);
    return result;
  }

  /**
   * Requires that few enough attempts have failed. Pass `failures` if another statement has already read them.
   * @throws AppError `too_many_requests`
   */
  async requireFew(key: string, failures?: Failures): Promise<void> {
    const { limit } = this.#options;
    if (limit > 0) requireBelow(limit, failures ?? (await this.#query(read, key)));
  }

  /**
   * Counts a failed attempt.
   * @throws AppError `too_many_requests` if it exceeds the limit
   */
  async countFailure(key: string): Promise<void> {
    const { limit } = this.#options;
    if (limit > 0) requireBelow(limit + 1, await this.#increment(key));
  }

  /**
   * For statements that read the table `attempts` themselves: the key prefix, and the limit of failures; null for no
   * limit.
   */
  get condition(): { purpose: string; limit: number | null } {
    const { purpose, limit } = this.#options;
    return { purpose, limit: limit || null };
  }

  #increment(key: string): Promise<Failures> {
    return this.#query(increment, key, this.#options.windowSeconds ?? defaultWindowSeconds);
  }

  async #query(sql: string, key: string, ...more: unknown[]): Promise<Failures> {
    const values = [`${this.#options.purpose} ${key}`, ...more];
    const [row] = await query<Failures>(this.#db, { sql, values });
    return row ?? none;
  }
}

function requireBelow(limit: number, { count, secondsLeft }: Failures): void {
  if (count < limit) return;
  const headers = { 'Retry-After': String(Math.max(1, secondsLeft)) };
  throw new AppError('too_many_requests', 'Too Many Requests', { headers });
}
