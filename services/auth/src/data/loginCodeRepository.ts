import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { StoredCode } from '../domain/loginCode.ts';

interface NewCode {
  /** Hash of the email address or mobile number that the code was requested for. */
  key: string;
  /** Null if there is no such account. */
  userId: number | null;
  codeHash: string;
  lifetimeSeconds: number;
}

const upsert = `
  INSERT INTO login_codes (key, user_id, code_hash, expires_at)
  VALUES ($1, $2, $3, now() + $4 * interval '1 second')
  ON CONFLICT (key) DO UPDATE SET
    user_id = excluded.user_id, code_hash = excluded.code_hash, tries = 0, expires_at = excluded.expires_at`;

// The attempt is counted before the code is compared, so that simultaneous guesses each count.
const countAttempt = `
  UPDATE login_codes SET tries = tries + 1
  WHERE key = $1 AND tries < $2 AND expires_at > now()
  RETURNING key, user_id AS "userId", code_hash AS "codeHash"`;

const consume = 'DELETE FROM login_codes WHERE key = $1 AND code_hash = $2 RETURNING key';

/** Stores the hash of the outstanding code of each email address or mobile number, at most one each. */
export class LoginCodeRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Saves a new code, replacing an earlier one. */
  async save({ key, userId, codeHash, lifetimeSeconds }: NewCode): Promise<void> {
    await query(this.#db, { sql: upsert, values: [key, userId, codeHash, lifetimeSeconds] });
  }

  /** Counts an attempt and returns the code to compare with; undefined if there is no code or no attempt left. */
  async countAttempt(key: string, maxAttempts: number): Promise<StoredCode | undefined> {
    const [code] = await query<StoredCode>(this.#db, { sql: countAttempt, values: [key, maxAttempts] });
    return code;
  }

  /** Consumes a code. Returns false if it was already consumed: when two logins use one code, only one succeeds. */
  async consume({ key, codeHash }: StoredCode, transaction: Transaction): Promise<boolean> {
    const rows = await query(this.#db, { sql: consume, values: [key, codeHash], transaction });
    return rows.length === 1;
  }

  async deleteByUser(userId: number, transaction: Transaction): Promise<void> {
    await query(this.#db, {
      sql: 'DELETE FROM login_codes WHERE user_id = $1',
      values: [userId],
      transaction,
    });
  }
}
