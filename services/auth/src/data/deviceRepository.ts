import { query } from '@gradeway/shared/database/query';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Device, DeviceType } from '../domain/device.ts';
import type { DeviceCounts } from '../domain/deviceLimits.ts';
import type { DeviceModel, Models } from './models.ts';

const columns = `
  id, user_id AS "userId", token, type, name, user_agent AS "userAgent", is_disabled AS "isDisabled",
  last_login_at AS "lastLoginAt"`;
const byToken = `SELECT ${columns} FROM devices WHERE user_id = $1 AND token = $2`;
const byUserAgent = `
  SELECT ${columns} FROM devices WHERE user_id = $1 AND user_agent = $2 AND type = 'web' ORDER BY id LIMIT 1`;
const usedByOthers = 'SELECT FROM devices WHERE token = $1 AND user_id <> $2 LIMIT 1';

const countActiveByType = `
  SELECT type, count(*)::integer AS count FROM devices
  WHERE user_id = $1 AND NOT is_disabled GROUP BY type`;

export class DeviceRepository {
  readonly #db: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#db = sequelize;
    this.#models = models;
  }

  async create(values: Omit<Device, 'id' | 'isDisabled'>, transaction: Transaction): Promise<Device> {
    return toDevice(await this.#models.Device.create({ ...values, isDisabled: false }, { transaction }));
  }

  async find(id: number, transaction?: Transaction): Promise<Device | undefined> {
    const row = await this.#models.Device.findByPk(id, { transaction: transaction ?? null });
    return row ? toDevice(row) : undefined;
  }

  async findByToken(userId: number, token: string, transaction: Transaction): Promise<Device | undefined> {
    const [row] = await query<Device>(this.#db, { sql: byToken, values: [userId, token], transaction });
    return row;
  }

  /** Finds a browser that also sent no token at its earlier logins (D9). */
  async findByUserAgent(
    userId: number,
    userAgent: string,
    transaction: Transaction,
  ): Promise<Device | undefined> {
    const [row] = await query<Device>(this.#db, {
      sql: byUserAgent,
      values: [userId, userAgent],
      transaction,
    });
    return row;
  }

  /** Records a login on a registered device. If the name is null, the previous name is kept. */
  recordLogin(
    id: number,
    { type, lastLoginAt, name }: Pick<Device, 'type' | 'lastLoginAt' | 'name'>,
    transaction: Transaction,
  ): Promise<Device | undefined> {
    return this.#update(id, { type, lastLoginAt, ...(name !== null && { name }) }, transaction);
  }

  update(
    id: number,
    values: Pick<Device, 'isDisabled'>,
    transaction: Transaction,
  ): Promise<Device | undefined> {
    return this.#update(id, values, transaction);
  }

  async delete(id: number, transaction: Transaction): Promise<void> {
    await this.#models.Device.destroy({ where: { id }, transaction });
  }

  async deleteByUser(userId: number, transaction: Transaction): Promise<void> {
    await this.#models.Device.destroy({ where: { userId }, transaction });
  }

  /** One page of an account's devices, most recently used first. */
  async pageByUser(userId: number, page: Page): Promise<{ devices: Device[]; total: number }> {
    const total = await this.#models.Device.count({ where: { userId } });
    const offset = offsetOf(page, total);
    if (offset === undefined) return { devices: [], total };
    const rows = await this.#models.Device.findAll({
      where: { userId },
      order: [
        ['lastLoginAt', 'DESC'],
        ['id', 'DESC'],
      ],
      limit: page.size,
      offset,
    });
    return { devices: rows.map(toDevice), total };
  }

  /** Counts an account's enabled devices by type. */
  async countActive(userId: number, transaction: Transaction): Promise<DeviceCounts> {
    const rows = await query<{ type: DeviceType; count: number }>(this.#db, {
      sql: countActiveByType,
      values: [userId],
      transaction,
    });
    const counts: DeviceCounts = { web: 0, app: 0, desktop: 0 };
    for (const { type, count } of rows) counts[type] = count;
    return counts;
  }

  /**
   * Whether another account has logged in with this device token. Locks the token until the transaction ends, so that
   * if two accounts log in simultaneously, the second sees the first.
   */
  async isUsedByAnotherAccount(token: string, userId: number, transaction: Transaction): Promise<boolean> {
    await query(this.#db, {
      sql: "SELECT pg_advisory_xact_lock(hashtext('auth device'), hashtext($1))",
      values: [token],
      transaction,
    });
    const others = { sql: usedByOthers, values: [token, userId], transaction };
    return (await query(this.#db, others)).length > 0;
  }

  async #update(id: number, values: Partial<Device>, transaction: Transaction): Promise<Device | undefined> {
    const options = { where: { id }, transaction, returning: true } as const;
    const [, [row]] = await this.#models.Device.update(values, options);
    return row ? toDevice(row) : undefined;
  }
}

function toDevice(row: DeviceModel): Device {
  return row.get();
}
