import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { ClientDevice } from '../domain/device.ts';

/** Inserts or renews the rows that a query returns. */
export const upsertNetwork = (rows: string): string => `
  INSERT INTO login_addresses (user_id, network, last_login_at) ${rows}
  ON CONFLICT (user_id, network) DO UPDATE SET last_login_at = excluded.last_login_at`;

const remember = upsertNetwork('VALUES ($1, $2, now())');

/** The networks that accounts have logged in from (D50). */
export class KnownSourceRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Remembers the network of a login for 30 days. */
  async remember(userId: number, { network }: ClientDevice, transaction: Transaction): Promise<void> {
    if (network === '') return;
    await query(this.#db, { sql: remember, values: [userId, network], transaction });
  }

  async deleteByUser(userId: number, transaction: Transaction): Promise<void> {
    await query(this.#db, {
      sql: 'DELETE FROM login_addresses WHERE user_id = $1',
      values: [userId],
      transaction,
    });
  }
}
