import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize, Transaction } from 'sequelize';

interface NewCode {
  /** Of the address or mobile number that it was asked for with. */
  key: string;
  /** Null when no account has that. */
  userId: number | null;
  codeHash: string;
  lifetimeSeconds: number;
}

export interface StoredCode {
  key: string;
  userId: number | null;
  codeHash: string;
}

const put = `
  INSERT INTO login_codes (key, user_id, code_hash, expires_at)
  VALUES ($1, $2, $3, now() + $4 * interval '1 second')
  ON CONFLICT (key) DO UPDATE SET
    user_id = excluded.user_id, code_hash = excluded.code_hash, tries = 0, expires_at = excluded.expires_at`;

// The try is counted before the code is compared: guesses made at the same time count one by one.
const takeTry = `
  UPDATE login_codes SET tries = tries + 1
  WHERE key = $1 AND tries < $2 AND expires_at > now()
  RETURNING key, user_id AS "userId", code_hash AS "codeHash"`;

const consume = 'DELETE FROM login_codes WHERE key = $1 AND code_hash = $2 RETURNING key';

/** The one outstanding code of each address or mobile number, as a hash. */
export class LoginCodeRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** Keeps a new code; an earlier one counts no more. */
  async put({ key, userId, codeHash, lifetimeSeconds }: NewCode): Promise<void> {
    await this.#sequelize.query(put, { bind: [key, userId, codeHash, lifetimeSeconds] });
  }

  /** The code to compare a guess with; undefined when there is none, or no try is left. */
  async takeTry(key: string, tries: number): Promise<StoredCode | undefined> {
    const [code] = await selectRows<StoredCode>(this.#sequelize, takeTry, [key, tries]);
    return code;
  }

  /** Uses a code up. False when that has happened already: of two logins with one code, one succeeds. */
  async consume({ key, codeHash }: StoredCode, transaction: Transaction): Promise<boolean> {
    return (await selectRows(this.#sequelize, consume, [key, codeHash], transaction)).length === 1;
  }

  async deleteOfUser(userId: number, transaction: Transaction): Promise<void> {
    await this.#sequelize.query('DELETE FROM login_codes WHERE user_id = $1', {
      bind: [userId],
      transaction,
    });
  }
}
