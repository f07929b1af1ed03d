import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize, Transaction } from 'sequelize';
import type { ClientDevice } from '../domain/device.ts';

/** What an account's earlier logins have in common with an attempt. */
export interface KnownSource {
  /** The device that presented the same token; null for none or a disabled one. */
  deviceId: number | null;
  isKnownNetwork: boolean;
}

// A browser without a token is not a known device: anyone can send its User-Agent.
const select = `
  SELECT
    (SELECT id FROM devices WHERE user_id = $1 AND token = $2 AND NOT is_disabled) AS "deviceId",
    EXISTS (
      SELECT FROM login_addresses
      WHERE user_id = $1 AND network = $3 AND last_login_at > now() - interval '30 days') AS "isKnownNetwork"`;

const upsert = `
  INSERT INTO login_addresses (user_id, network, last_login_at) VALUES ($1, $2, now())
  ON CONFLICT (user_id, network) DO UPDATE SET last_login_at = excluded.last_login_at`;

/** The devices and networks from which accounts have logged in. */
export class KnownSourceRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** Compares an attempt with earlier logins. An unknown account takes the same query, and so as long. */
  async find(userId: number | undefined, { token, network }: ClientDevice): Promise<KnownSource> {
    const [row] = await selectRows<KnownSource>(this.#sequelize, select, [userId ?? null, token, network]);
    return row ?? { deviceId: null, isKnownNetwork: false };
  }

  /** Remembers the network of a login for 30 days. */
  async remember(userId: number, { network }: ClientDevice, transaction: Transaction): Promise<void> {
    if (network !== '') await this.#sequelize.query(upsert, { bind: [userId, network], transaction });
  }

  async deleteByUser(userId: number, transaction: Transaction): Promise<void> {
    await this.#sequelize.query('DELETE FROM login_addresses WHERE user_id = $1', {
      bind: [userId],
      transaction,
    });
  }
}
