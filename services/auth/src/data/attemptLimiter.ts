import { selectRows } from '@gradeway/shared/database/connection';
import { AppError } from '@gradeway/shared/errors/appError';
import type { Sequelize } from 'sequelize';

interface Options {
  /** What is tried: each purpose is counted by itself. */
  purpose: string;
  /** Most attempts in 15 minutes; 0 = no limit. */
  limit: number;
}

interface Counted {
  count: number;
  secondsLeft: number;
}

// The window begins with the first attempt and ends 15 minutes later, whatever comes in between.
const add = `
  INSERT INTO attempts (key, count, expires_at) VALUES ($1, 1, now() + interval '15 minutes')
  ON CONFLICT (key) DO UPDATE SET
    count = CASE WHEN attempts.expires_at > now() THEN attempts.count + 1 ELSE 1 END,
    expires_at = CASE WHEN attempts.expires_at > now() THEN attempts.expires_at ELSE excluded.expires_at END
  RETURNING count, ceil(extract(epoch FROM expires_at - now()))::integer AS "secondsLeft"`;

const read = `
  SELECT count, ceil(extract(epoch FROM expires_at - now()))::integer AS "secondsLeft"
  FROM attempts WHERE key = $1 AND expires_at > now()`;

/**
 * Limits how often something is tried with one account, whether it exists or not. Counted in the database, so
 * that the limit is one for all replicas.
 */
export class AttemptLimit {
  readonly #sequelize: Sequelize;
  readonly #options: Options;

  constructor(sequelize: Sequelize, options: Options) {
    this.#sequelize = sequelize;
    this.#options = options;
  }

  /** Counts an attempt. False when it is one too many. */
  async allows(account: string): Promise<boolean> {
    const { limit } = this.#options;
    return limit === 0 || (await this.#query(add, account)).count <= limit;
  }

  /**
   * Runs `guess`, unless too many have failed before, and counts it when it fails, that is: returns undefined.
   *
   * Guesses made at the same time all run, but what came of them is told only until the limit is reached: who was
   * right after that is refused as well. So a burst learns no more than guesses one by one, and people who log in
   * at the same time do not stand in each other's way. A success takes no failure back.
   * @throws AppError 429 when too many have failed
   */
  async guard<T>(account: string, guess: () => Promise<T | undefined>): Promise<T | undefined> {
    const { limit } = this.#options;
    if (limit === 0) return guess();
    requireBelow(limit, await this.#query(read, account));
    const result = await guess();
    if (result !== undefined) requireBelow(limit, await this.#query(read, account));
    else requireBelow(limit + 1, await this.#query(add, account));
    return result;
  }

  async #query(sql: string, account: string): Promise<Counted> {
    const [row] = await selectRows<Counted>(this.#sequelize, sql, [`${this.#options.purpose} ${account}`]);
    return row ?? { count: 0, secondsLeft: 0 };
  }
}

function requireBelow(limit: number, { count, secondsLeft }: Counted): void {
  if (count < limit) return;
  const headers = { 'Retry-After': String(Math.max(1, secondsLeft)) };
  throw new AppError('too_many_requests', 'Too Many Requests', { headers });
}
