import type { Sequelize, Transaction } from 'sequelize';
import { invalid } from '../errors/appError.ts';
import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';
import { deleteBatchSize, deleteInBatches } from './deleteInBatches.ts';
import { countIdempotent } from './idempotencyMetrics.ts';
import { query } from './query.ts';

/** Identifies a request that a client may repeat without repeating its effect. */
export interface IdempotencyKey {
  userId: number;
  value: string;
  /** Equal for repetitions of the same request, different for any other request. */
  fingerprint: string;
  /** Headline of the 422 response. */
  message: string | undefined;
}

const find = `
  SELECT fingerprint, result FROM idempotency_keys
  WHERE user_id = $1 AND key = $2 AND created_at > now() - interval '24 hours'`;

// Replaces an expired key.
const insert = `
  INSERT INTO idempotency_keys AS k (user_id, key, fingerprint, result) VALUES ($1, $2, $3, $4)
  ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
    SET fingerprint = excluded.fingerprint, result = excluded.result, created_at = now()
    WHERE k.created_at <= now() - interval '24 hours'
  RETURNING key`;

const deleteExpired = `
  DELETE FROM idempotency_keys WHERE (user_id, key) IN (
    SELECT user_id, key FROM idempotency_keys
    WHERE created_at <= now() - interval '24 hours' LIMIT ${deleteBatchSize})
  RETURNING key`;
const purgeIntervalMs = 3_600_000;

/**
 * Stores the results of requests with an `Idempotency-Key` for 24 hours. It guarantees that
 * - the effect and the result are committed together: a crash leaves both or neither;
 * - only one of several simultaneous requests with the same key takes effect; the others wait for its commit and return
 *   its result;
 * - a key that was used for another request is rejected;
 * - a rejected request records nothing, so the client may repeat it under the same key.
 */
export class IdempotencyStore {
  readonly #sequelize: Sequelize;
  /** Stops purging expired keys. */
  readonly close: () => Promise<void>;

  constructor(sequelize: Sequelize, log: Logger) {
    this.#sequelize = sequelize;
    this.close = runEvery({
      everyMs: purgeIntervalMs,
      task: (signal) => purgeIdempotencyKeys(sequelize, signal),
      log,
      failureMessage: 'could not purge expired idempotency keys',
    });
  }

  /**
   * Runs a use case, or returns the recorded result if the request has already completed. The use case must call
   * `recordResult` with this key in the transaction of its effect. Without a key it runs every time.
   * @throws AppError `invalid` when the key was used for another request
   */
  async once<Result>(key: IdempotencyKey | undefined, useCase: () => Promise<Result>): Promise<Result> {
    if (!key) return useCase();
    const earlier = await this.#find<Result>(key);
    if (earlier) return repeated(earlier.result);
    try {
      const result = await useCase();
      countIdempotent('done');
      return result;
    } catch (error) {
      // If a simultaneous repetition completed, its result is the response to this request too, even after an error.
      const simultaneous = await this.#find<Result>(key);
      if (!simultaneous) throw error;
      return repeated(simultaneous.result);
    }
  }

  /**
   * Records the result of a request in the transaction of its effect. Waits for a simultaneous request with the same
   * key and throws if that one commits, so that this transaction rolls back and `once` returns the other result.
   */
  async recordResult(
    key: IdempotencyKey | undefined,
    result: unknown,
    transaction: Transaction,
  ): Promise<void> {
    if (!key) return;
    const values = [key.userId, key.value, key.fingerprint, JSON.stringify(result)];
    const rows = await query(this.#sequelize, { sql: insert, values, transaction });
    if (rows.length === 0) throw new Error('a simultaneous request with this idempotency key has completed');
  }

  async #find<Result>(key: IdempotencyKey): Promise<{ result: Result } | undefined> {
    type Row = { fingerprint: string; result: Result };
    const [row] = await query<Row>(this.#sequelize, { sql: find, values: [key.userId, key.value] });
    if (row && row.fingerprint !== key.fingerprint) {
      countIdempotent('mismatched');
      const error = 'The idempotency key was used for another request.';
      throw invalid({ idempotency_key: [error] }, key.message);
    }
    return row;
  }
}

/** Deletes keys older than 24 hours. */
export async function purgeIdempotencyKeys(sequelize: Sequelize, signal?: AbortSignal): Promise<void> {
  await deleteInBatches(sequelize, deleteExpired, [], signal);
}

function repeated<Result>(result: Result): Result {
  countIdempotent('repeated');
  return result;
}
