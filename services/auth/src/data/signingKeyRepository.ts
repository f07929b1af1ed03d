import type { JsonWebKey } from 'node:crypto';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';

export interface StoredKey {
  kid: string;
  publicJwk: JsonWebKey;
  /** Null once the key no longer signs. */
  encryptedPrivateKey: Buffer | null;
  signsFrom: Date;
}

const selectUsable = `
  SELECT kid, public_jwk AS "publicJwk", sealed_private_key AS "encryptedPrivateKey", signs_from AS "signsFrom"
  FROM signing_keys WHERE spent_at IS NULL ORDER BY signs_from, kid`;

const selectPublicKey = `
  SELECT public_jwk AS "publicJwk" FROM signing_keys WHERE kid = $1 AND revoked_at IS NULL`;

const insert = `
  INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, signs_from) VALUES ($1, $2, $3, $4)`;

const erasePrivateKeys = `
  UPDATE signing_keys SET sealed_private_key = NULL WHERE kid = ANY($1) AND sealed_private_key IS NOT NULL`;

const updateSpent = 'UPDATE signing_keys SET spent_at = now(), sealed_private_key = NULL WHERE kid = ANY($1)';

const revoke = `
  UPDATE signing_keys SET revoked_at = now(), spent_at = coalesce(spent_at, now()), sealed_private_key = NULL
  WHERE revoked_at IS NULL RETURNING kid`;

// Only processes running now have the keys. Those that start later fetch a key set without them.
const insertRevocations = `
  INSERT INTO revocations (key_id, expires_at) SELECT unnest($1::text[]), now() + interval '30 days'`;

/** The keys that sign tokens. Spent keys can only be found by their `kid`. */
export class SigningKeyRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** Keeps other replicas from changing the keys until the transaction ends. */
  async lock(transaction: Transaction): Promise<void> {
    await query(this.#sequelize, {
      sql: "SELECT pg_advisory_xact_lock(hashtext('auth signing keys'))",
      transaction,
    });
  }

  /** Returns all keys that are not spent, in the order in which they sign. */
  findUsable(transaction?: Transaction): Promise<StoredKey[]> {
    return query<StoredKey>(this.#sequelize, { sql: selectUsable, transaction });
  }

  async create({ kid, publicJwk, encryptedPrivateKey, signsFrom }: StoredKey, transaction: Transaction) {
    const values = [kid, JSON.stringify(publicJwk), encryptedPrivateKey, signsFrom];
    await query(this.#sequelize, { sql: insert, values, transaction });
  }

  /** Erases the private part of keys that no longer sign. */
  async erasePrivateKeys(kids: string[], transaction: Transaction): Promise<void> {
    await query(this.#sequelize, { sql: erasePrivateKeys, values: [kids], transaction });
  }

  /** Marks keys as spent: they are no longer published and only verify receipts. */
  async markSpent(kids: string[], transaction: Transaction): Promise<void> {
    await query(this.#sequelize, { sql: updateSpent, values: [kids], transaction });
  }

  /** Revokes all keys and lists them for verifiers. Returns their number. */
  async revokeAll(transaction: Transaction): Promise<number> {
    const revoked = await query<{ kid: string }>(this.#sequelize, { sql: revoke, transaction });
    const kids = revoked.map(({ kid }) => kid);
    await query(this.#sequelize, { sql: insertRevocations, values: [kids], transaction });
    return kids.length;
  }

  /** Returns the public part of a key that was not revoked, even if it is spent. */
  async findPublicKey(kid: string): Promise<JsonWebKey | undefined> {
    const [row] = await query<{ publicJwk: JsonWebKey }>(this.#sequelize, {
      sql: selectPublicKey,
      values: [kid],
    });
    return row?.publicJwk;
  }
}
