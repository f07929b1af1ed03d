import { query } from '@gradeway/shared/database/query';
import {
  DataTypes,
  fn,
  type InferAttributes,
  type InferCreationAttributes,
  type Model,
  type ModelStatic,
  Op,
  type Sequelize,
  type Transaction,
} from 'sequelize';
import type { SecondFactorProof, TotpFactor } from '../domain/totp.ts';

// Replaces a factor that was never confirmed, but not a confirmed one.
const savePending = `
  INSERT INTO totp_factors (user_id, encrypted_secret) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET encrypted_secret = excluded.encrypted_secret, created_at = now()
    WHERE totp_factors.confirmed_at IS NULL
  RETURNING user_id`;

const insertRecoveryCodes = 'INSERT INTO recovery_codes (user_id, code_hash) SELECT $1, unnest($2::text[])';
const selectRecoveryCode = 'SELECT user_id FROM recovery_codes WHERE user_id = $1 AND code_hash = $2';
const consumeRecoveryCode =
  'DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2 RETURNING user_id';
interface FactorRow extends Model<InferAttributes<FactorRow>, InferCreationAttributes<FactorRow>> {
  userId: number;
  encryptedSecret: Buffer;
  confirmedAt: Date | null;
  lastStep: number;
}

const defineFactors = (sequelize: Sequelize) =>
  sequelize.define<FactorRow>(
    'TotpFactor',
    {
      userId: { type: DataTypes.INTEGER, primaryKey: true },
      encryptedSecret: DataTypes.BLOB,
      confirmedAt: DataTypes.DATE,
      lastStep: DataTypes.BIGINT,
    },
    { tableName: 'totp_factors' },
  );

/** The second factor of each account and its recovery codes. */
export class TotpFactorRepository {
  readonly #db: Sequelize;
  readonly #factors: ModelStatic<FactorRow>;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
    this.#factors = defineFactors(sequelize);
  }

  async find(userId: number): Promise<TotpFactor | undefined> {
    const row = await this.#factors.findByPk(userId);
    if (!row) return undefined;
    const { encryptedSecret, confirmedAt, lastStep } = row;
    // pg returns bigint as text.
    return { userId, encryptedSecret, isConfirmed: confirmedAt !== null, lastStep: Number(lastStep) };
  }

  /** Saves an unconfirmed factor. Returns false if the account has a confirmed one. */
  async savePending(userId: number, encryptedSecret: Buffer): Promise<boolean> {
    const rows = await query(this.#db, { sql: savePending, values: [userId, encryptedSecret] });
    return rows.length === 1;
  }

  /** Confirms a factor and saves its recovery codes. Returns false if it is no longer pending. */
  async confirm(
    { userId, encryptedSecret }: TotpFactor,
    step: number,
    recoveryCodeHashes: string[],
    transaction: Transaction,
  ): Promise<boolean> {
    // Compares the secret, because a simultaneous request may have replaced the one whose code was entered.
    const where = { userId, encryptedSecret, confirmedAt: null };
    const values = { confirmedAt: fn('now'), lastStep: step };
    const [confirmed] = await this.#factors.update(values, { where, transaction });
    if (confirmed === 0) return false;
    await query(this.#db, { sql: insertRecoveryCodes, values: [userId, recoveryCodeHashes], transaction });
    return true;
  }

  async hasRecoveryCode(userId: number, codeHash: string): Promise<boolean> {
    const rows = await query(this.#db, { sql: selectRecoveryCode, values: [userId, codeHash] });
    return rows.length === 1;
  }

  /** Consumes a code. Returns false if it was already used: when two logins use one code, only one succeeds. */
  async consume(userId: number, proof: SecondFactorProof, transaction: Transaction): Promise<boolean> {
    if ('step' in proof) {
      const { step } = proof;
      const where = { userId, lastStep: { [Op.lt]: step }, confirmedAt: { [Op.not]: null } };
      const [consumed] = await this.#factors.update({ lastStep: step }, { where, transaction });
      return consumed === 1;
    }
    const values = [userId, proof.recoveryCodeHash];
    return (await query(this.#db, { sql: consumeRecoveryCode, values, transaction })).length === 1;
  }

  encryptedSecrets(): Promise<Pick<TotpFactor, 'userId' | 'encryptedSecret'>[]> {
    return this.#factors.findAll({ attributes: ['userId', 'encryptedSecret'], order: ['userId'], raw: true });
  }

  /** Replaces a factor's encrypted secret, unless it is no longer `from`. */
  async replaceSecret(userId: number, from: Buffer, to: Buffer): Promise<void> {
    await this.#factors.update({ encryptedSecret: to }, { where: { userId, encryptedSecret: from } });
  }

  async delete(userId: number, transaction: Transaction): Promise<void> {
    await this.#factors.destroy({ where: { userId }, transaction });
  }
}
