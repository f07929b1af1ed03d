import type { JsonWebKey } from 'node:crypto';
import { query } from '@gradeway/shared/database/query';
import {
  type CreationOptional,
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

export interface StoredKey {
  kid: string;
  publicJwk: JsonWebKey;
  /** Null once the key no longer signs. */
  encryptedPrivateKey: Buffer | null;
  signsFrom: Date;
}

const revoke = `
  UPDATE signing_keys SET revoked_at = now(), spent_at = coalesce(spent_at, now()), sealed_private_key = NULL
  WHERE revoked_at IS NULL RETURNING kid`;

// Allows for clock skew.
const selectNeeded = `
  SELECT DISTINCT key_id AS kid FROM api_tokens
  WHERE key_id = ANY($1) AND expires_at > now() - interval '10 minutes'`;

// Only processes that are running now hold the keys. Processes that start later fetch a key set without them.
const insertRevocations = `
  INSERT INTO revocations (key_id, expires_at) SELECT unnest($1::text[]), now() + interval '30 days'`;

interface KeyRow extends StoredKey, Model<InferAttributes<KeyRow>, InferCreationAttributes<KeyRow>> {
  spentAt: CreationOptional<Date | null>;
  revokedAt: CreationOptional<Date | null>;
}

const defineKeys = (sequelize: Sequelize) =>
  sequelize.define<KeyRow>(
    'SigningKey',
    {
      kid: { type: DataTypes.TEXT, primaryKey: true },
      publicJwk: DataTypes.JSONB,
      encryptedPrivateKey: { type: DataTypes.BLOB, field: 'sealed_private_key' },
      signsFrom: DataTypes.DATE,
      spentAt: DataTypes.DATE,
      revokedAt: DataTypes.DATE,
    },
    { tableName: 'signing_keys' },
  );

/** The keys that sign tokens. Spent keys can only be found by their `kid`. */
export class SigningKeyRepository {
  readonly #db: Sequelize;
  readonly #keys: ModelStatic<KeyRow>;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
    this.#keys = defineKeys(sequelize);
  }

  /** Keeps other replicas from changing the keys until the transaction ends. */
  async lock(transaction: Transaction): Promise<void> {
    await query(this.#db, {
      sql: "SELECT pg_advisory_xact_lock(hashtext('auth signing keys'))",
      transaction,
    });
  }

  /** Returns all keys that are not spent, in the order in which they sign. */
  findUsable(transaction: Transaction | null = null): Promise<StoredKey[]> {
    return this.#keys.findAll({
      attributes: ['kid', 'publicJwk', 'encryptedPrivateKey', 'signsFrom'],
      where: { spentAt: null },
      order: ['signsFrom', 'kid'],
      transaction,
      raw: true,
    });
  }

  async create(key: StoredKey, transaction: Transaction): Promise<void> {
    await this.#keys.create(key, { transaction });
  }

  /** Erases the private part of keys that no longer sign. */
  async erasePrivateKeys(kids: string[], transaction: Transaction): Promise<void> {
    const where = { kid: kids, encryptedPrivateKey: { [Op.not]: null } };
    await this.#keys.update({ encryptedPrivateKey: null }, { where, transaction });
  }

  /** Marks keys as spent: they are no longer published and only verify receipts. */
  async markSpent(kids: string[], transaction: Transaction): Promise<void> {
    const values = { spentAt: fn('now'), encryptedPrivateKey: null };
    await this.#keys.update(values, { where: { kid: kids }, transaction });
  }

  /** Returns the given keys that have signed an unexpired token for programs. */
  async findNeeded(kids: string[], transaction: Transaction | null = null): Promise<string[]> {
    if (kids.length === 0) return [];
    const rows = await query<{ kid: string }>(this.#db, { sql: selectNeeded, values: [kids], transaction });
    return rows.map(({ kid }) => kid);
  }

  /** Revokes all keys and lists them for verifiers. Returns their number. */
  async revokeAll(transaction: Transaction): Promise<number> {
    const revoked = await query<{ kid: string }>(this.#db, { sql: revoke, transaction });
    const kids = revoked.map(({ kid }) => kid);
    await query(this.#db, { sql: insertRevocations, values: [kids], transaction });
    return kids.length;
  }

  /** Returns the public part of a key that was not revoked, even if it is spent. */
  async findPublicKey(kid: string): Promise<JsonWebKey | undefined> {
    const row = await this.#keys.findOne({ where: { kid, revokedAt: null }, attributes: ['publicJwk'] });
    return row?.publicJwk;
  }
}
