import { createHash, randomBytes } from 'node:crypto';
import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../../database/query.ts';
import type { Logger } from '../../process/logger.ts';
import { runEvery } from '../../process/runEvery.ts';
import type { FileChange, GradesPlan } from './gradesFile.ts';

/** A plan that its creator can apply, or has applied. */
export interface StoredPlan {
  id: number;
  /** Empty once they have been applied. */
  changes: FileChange[];
  changed: number;
  unchanged: number;
  isApplied: boolean;
}

interface Key {
  itemId: number;
  userId: number;
}

const insert = `
  INSERT INTO grade_files (token_hash, item_id, created_by, expires_at, changes, changed, unchanged)
  VALUES ($1, $2, $3, now() + interval '1 day', $4, $5, $6)`;
const lock = `
  SELECT id, changes, changed, unchanged, applied_at IS NOT NULL AS "isApplied" FROM grade_files
  WHERE token_hash = $1 AND item_id = $2 AND created_by = $3 AND expires_at > now() FOR UPDATE`;
const markApplied = "UPDATE grade_files SET applied_at = now(), changes = '[]' WHERE id = $1";

const purge = 'DELETE FROM grade_files WHERE expires_at < now()';
const purgeEveryMs = 3_600_000;

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Stores the planned changes of grade files for one day. */
export class GradesFileRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns the token with which the person can apply the plan. */
  async store({ itemId, userId }: Key, { changes, unchanged }: GradesPlan): Promise<string> {
    const token = randomBytes(32).toString('base64url');
    const values = [hashOf(token), itemId, userId, JSON.stringify(changes), changes.length, unchanged];
    await query(this.#db, { sql: insert, values });
    return token;
  }

  /** Finds a plan of the person for the item, and locks it until the transaction ends. */
  async lock(
    token: string,
    { itemId, userId }: Key,
    transaction: Transaction,
  ): Promise<StoredPlan | undefined> {
    const values = [hashOf(token), itemId, userId];
    return (await query<StoredPlan>(this.#db, { sql: lock, values, transaction }))[0];
  }

  /** Deletes expired plans periodically. Returns a function that stops it. */
  purgeRegularly(log: Logger): () => Promise<void> {
    return runEvery({
      everyMs: purgeEveryMs,
      task: async () => void (await query(this.#db, { sql: purge })),
      log,
      failureMessage: 'could not delete expired grade files; will retry',
    });
  }

  async markApplied(id: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: markApplied, values: [id], transaction });
  }
}
