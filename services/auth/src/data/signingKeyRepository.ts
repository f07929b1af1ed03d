import type { JsonWebKey } from 'node:crypto';
import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize, Transaction } from 'sequelize';

export interface StoredKey {
  kid: string;
  publicJwk: JsonWebKey;
  /** Null once the key signs no more. */
  sealedPrivateKey: Buffer | null;
  signsFrom: Date;
}

const all = `
  SELECT kid, public_jwk AS "publicJwk", sealed_private_key AS "sealedPrivateKey", signs_from AS "signsFrom"
  FROM signing_keys WHERE spent_at IS NULL ORDER BY signs_from, kid`;

const findPublic = 'SELECT public_jwk AS "publicJwk" FROM signing_keys WHERE kid = $1';

const insert = `
  INSERT INTO signing_keys (kid, public_jwk, sealed_private_key, signs_from) VALUES ($1, $2, $3, $4)`;

const erasePrivate = `
  UPDATE signing_keys SET sealed_private_key = NULL WHERE kid = ANY($1) AND sealed_private_key IS NOT NULL`;

const markSpent = 'UPDATE signing_keys SET spent_at = now(), sealed_private_key = NULL WHERE kid = ANY($1)';

/** The signing keys of tokens; those that are spent only by their `kid`. */
export class SigningKeyRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** Keeps other replicas from changing the keys until the transaction ends. */
  async lock(transaction: Transaction): Promise<void> {
    await this.#sequelize.query("SELECT pg_advisory_xact_lock(hashtext('auth signing keys'))", {
      transaction,
    });
  }

  /** Every key that is still of use, the one that signs last at the end. */
  all(transaction?: Transaction): Promise<StoredKey[]> {
    return selectRows<StoredKey>(this.#sequelize, all, [], transaction);
  }

  async add({ kid, publicJwk, sealedPrivateKey, signsFrom }: StoredKey, transaction: Transaction) {
    const bind = [kid, JSON.stringify(publicJwk), sealedPrivateKey, signsFrom];
    await this.#sequelize.query(insert, { bind, transaction });
  }

  /** Forgets the private part of keys that sign no more. */
  async erasePrivate(kids: string[], transaction: Transaction): Promise<void> {
    await this.#sequelize.query(erasePrivate, { bind: [kids], transaction });
  }

  /** Takes keys out of use: from then on they verify receipts alone. */
  async markSpent(kids: string[], transaction: Transaction): Promise<void> {
    await this.#sequelize.query(markSpent, { bind: [kids], transaction });
  }

  /** The public part of any key that ever signed. */
  async findPublic(kid: string): Promise<JsonWebKey | undefined> {
    const [row] = await selectRows<{ publicJwk: JsonWebKey }>(this.#sequelize, findPublic, [kid]);
    return row?.publicJwk;
  }
}
