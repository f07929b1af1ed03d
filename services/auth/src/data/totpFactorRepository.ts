import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';

export interface TotpFactor {
  userId: number;
  encryptedSecret: Buffer;
  isConfirmed: boolean;
  /** The time step of the latest accepted code. */
  lastStep: number;
}

/** The proof a user has provided: the code of a time step, or a recovery code. */
export type SecondFactorProof = { step: number } | { recoveryCodeHash: string };

const select = `
  SELECT user_id AS "userId", encrypted_secret AS "encryptedSecret", confirmed_at IS NOT NULL AS "isConfirmed",
    last_step::float AS "lastStep"
  FROM totp_factors WHERE user_id = $1`;

// Replaces a factor that was never confirmed, but not a confirmed one.
const savePending = `
  INSERT INTO totp_factors (user_id, encrypted_secret) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET encrypted_secret = excluded.encrypted_secret, created_at = now()
    WHERE totp_factors.confirmed_at IS NULL
  RETURNING user_id`;

// Compares the secret, because a simultaneous request may have replaced the one whose code was entered.
const confirm = `
  UPDATE totp_factors SET confirmed_at = now(), last_step = $3
  WHERE user_id = $1 AND encrypted_secret = $2 AND confirmed_at IS NULL
  RETURNING user_id`;

const insertRecoveryCodes = 'INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])';
const selectRecoveryCode = 'SELECT user_id FROM recovery_codes WHERE user_id = $1 AND code_hash = $2';
const consumeRecoveryCode =
  'DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING user_id';
const consumeStep = `
  UPDATE totp_factors SET last_step = $2
  WHERE user_id = $1 AND last_step < $2 AND confirmed_at IS NOT NULL
  RETURNING user_id`;

const selectSecrets =
  'SELECT user_id AS "userId", encrypted_secret AS "encryptedSecret" FROM totp_factors ORDER BY user_id';
const replaceSecret =
  'UPDATE totp_factors SET encrypted_secret = $3 WHERE user_id = $1 AND encrypted_secret = $2';

/** The second factor of each account and its recovery codes. */
export class TotpFactorRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  async find(userId: number): Promise<TotpFactor | undefined> {
    const [factor] = await query<TotpFactor>(this.#sequelize, {
      name: 'second factor',
      sql: select,
      values: [userId],
    });
    return factor;
  }

  /** Saves an unconfirmed factor. Returns false if the account has a confirmed one. */
  async savePending(userId: number, encryptedSecret: Buffer): Promise<boolean> {
    return (
      (await query(this.#sequelize, { sql: savePending, values: [userId, encryptedSecret] })).length === 1
    );
  }

  /** Confirms a factor and saves its recovery codes. Returns false if it is no longer pending. */
  async confirm(
    { userId, encryptedSecret }: TotpFactor,
    step: number,
    recoveryCodeHashes: string[],
    transaction: Transaction,
  ): Promise<boolean> {
    const values = [userId, encryptedSecret, step];
    const confirmed = await query(this.#sequelize, { sql: confirm, values, transaction });
    if (confirmed.length === 0) return false;
    await query(this.#sequelize, {
      sql: insertRecoveryCodes,
      values: [userId, recoveryCodeHashes],
      transaction,
    });
    return true;
  }

  async hasRecoveryCode(userId: number, codeHash: string): Promise<boolean> {
    return (
      (await query(this.#sequelize, { sql: selectRecoveryCode, values: [userId, codeHash] })).length === 1
    );
  }

  /** Consumes a code. Returns false if it was already used: when two logins use one code, only one succeeds. */
  async consume(userId: number, proof: SecondFactorProof, transaction: Transaction): Promise<boolean> {
    const [sql, value] =
      'step' in proof ? [consumeStep, proof.step] : [consumeRecoveryCode, proof.recoveryCodeHash];
    return (await query(this.#sequelize, { sql, values: [userId, value], transaction })).length === 1;
  }

  encryptedSecrets(): Promise<Pick<TotpFactor, 'userId' | 'encryptedSecret'>[]> {
    return query(this.#sequelize, { sql: selectSecrets });
  }

  /** Replaces a factor's encrypted secret, unless it is no longer `from`. */
  async replaceSecret(userId: number, from: Buffer, to: Buffer): Promise<void> {
    await query(this.#sequelize, { sql: replaceSecret, values: [userId, from, to] });
  }

  async delete(userId: number, transaction: Transaction): Promise<void> {
    await query(this.#sequelize, {
      sql: 'DELETE FROM totp_factors WHERE user_id = $1',
      values: [userId],
      transaction,
    });
  }
}
