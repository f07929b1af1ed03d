import { createHash } from 'node:crypto';
import type { Request } from 'express';
import type { Sequelize, Transaction } from 'sequelize';
import { selectRows } from '../database/connection.ts';
import { invalid } from '../errors/appError.ts';
import { countIdempotent } from '../metrics/idempotentRequests.ts';
import type { Logger } from '../process/logger.ts';

/** A request that its sender may repeat without doing it twice. */
interface KeyedRequest {
  userId: number;
  key: string;
  /** The same for a repetition, another for anything else. */
  fingerprint: string;
  /** Headline of a 422. */
  message: string | undefined;
}

/** Notes what came of the request, in the transaction of its effect. */
export type NoteResult<Result> = (result: Result, transaction: Transaction) => Promise<void>;

const find = `
  SELECT fingerprint, result FROM idempotency_keys
  WHERE user_id = $1 AND key = $2 AND created_at > now() - interval '24 hours'`;

// A key that has run out is free again.
const note = `
  INSERT INTO idempotency_keys AS k (user_id, key, fingerprint, result) VALUES ($1, $2, $3, $4)
  ON CONFLICT ON CONSTRAINT idempotency_keys_pkey DO UPDATE
    SET fingerprint = excluded.fingerprint, result = excluded.result, created_at = now()
    WHERE k.created_at <= now() - interval '24 hours'
  RETURNING key`;

const forget = "DELETE FROM idempotency_keys WHERE created_at <= now() - interval '24 hours'";
const forgetEveryMs = 3_600_000;

/** Thrown in the transaction of a repetition that ran at the same time, so that nothing of it stays. */
class AlreadyDone extends Error {}

/**
 * `Idempotency-Key`: a request that was done is not done again for 24 hours; its repetition is told the same
 * result. What was noted and what was done are committed together, so this holds over crashes, and for repetitions
 * that come at the same time: one is done, the others wait for it. A request that was refused may be repeated freely.
 */
export class IdempotencyKeys {
  readonly #sequelize: Sequelize;
  readonly #timer: NodeJS.Timeout;

  constructor(sequelize: Sequelize, log: Logger) {
    this.#sequelize = sequelize;
    this.#timer = setInterval(() => {
      sequelize
        .query(forget)
        .catch((error) => log.warn({ err: error }, 'could not tidy the idempotency keys'));
    }, forgetEveryMs);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /**
   * Does something once for each key; without a key, simply does it. `effect` must call what it is given, in its
   * transaction.
   * @throws AppError `invalid` when the key was used for another request
   */
  async once<Result>(
    request: KeyedRequest | undefined,
    effect: (noteResult: NoteResult<Result>) => Promise<Result>,
  ): Promise<Result> {
    if (!request) return effect(async () => {});
    const before = await this.#find<Result>(request);
    if (before) return repeated(before.result);
    try {
      const result = await effect((result, transaction) => this.#note(request, result, transaction));
      countIdempotent('done');
      return result;
    } catch (error) {
      if (!(error instanceof AlreadyDone)) throw error;
      const meanwhile = await this.#find<Result>(request);
      if (!meanwhile) throw error;
      return repeated(meanwhile.result);
    }
  }

  async #find<Result>({
    userId,
    key,
    fingerprint,
    message,
  }: KeyedRequest): Promise<{ result: Result } | undefined> {
    const [row] = await selectRows<{ fingerprint: string; result: Result }>(this.#sequelize, find, [
      userId,
      key,
    ]);
    if (row && row.fingerprint !== fingerprint) {
      countIdempotent('mismatched');
      throw invalid({ idempotency_key: ['The idempotency key was used for another request.'] }, message);
    }
    return row;
  }

  async #note(request: KeyedRequest, result: unknown, transaction: Transaction): Promise<void> {
    const bind = [request.userId, request.key, request.fingerprint, JSON.stringify(result)];
    const rows = await selectRows(this.#sequelize, note, bind, transaction);
    if (rows.length === 0) throw new AlreadyDone('the same request was done meanwhile');
  }
}

function repeated<Result>(result: Result): Result {
  countIdempotent('repeated');
  return result;
}

const keyShape = /^[\x21-\x7e]{1,255}$/;

/**
 * The key that a request carries, if any, with the fingerprint of what it asks for: its method, its path and
 * `content`, which is what was read of its body.
 * @throws AppError `invalid` for a key that is none
 */
export function idempotencyKey(
  req: Request,
  userId: number,
  content: unknown,
  message?: string,
): KeyedRequest | undefined {
  const key = req.get('idempotency-key');
  if (key === undefined) return undefined;
  if (!keyShape.test(key))
    throw invalid(
      { idempotency_key: ['The idempotency key must be 1 to 255 visible ASCII characters.'] },
      message,
    );
  const asked = JSON.stringify([req.method, req.path, content]);
  return { userId, key, fingerprint: createHash('sha256').update(asked).digest('hex'), message };
}
