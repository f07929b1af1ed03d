import { selectRows } from '@gradeway/shared/database/connection';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import { Op, type Sequelize, type Transaction } from 'sequelize';
import type { Device, DeviceType } from '../domain/device.ts';
import type { DeviceCounts } from '../domain/deviceLimits.ts';
import type { DeviceModel, Models } from './models.ts';

const countActiveByType = `
  SELECT type, count(*)::integer AS count FROM devices
  WHERE user_id = $1 AND NOT is_disabled GROUP BY type`;

export class DeviceRepository {
  readonly #sequelize: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#sequelize = sequelize;
    this.#models = models;
  }

  async create(values: Omit<Device, 'id' | 'isDisabled'>, transaction: Transaction): Promise<Device> {
    return toDevice(await this.#models.Device.create({ ...values, isDisabled: false }, { transaction }));
  }

  async find(id: number, transaction: Transaction): Promise<Device | undefined> {
    const row = await this.#models.Device.findByPk(id, { transaction });
    return row ? toDevice(row) : undefined;
  }

  async findByToken(userId: number, token: string, transaction: Transaction): Promise<Device | undefined> {
    const row = await this.#models.Device.findOne({ where: { userId, token }, transaction });
    return row ? toDevice(row) : undefined;
  }

  /** Finds a browser that sent no token at its earlier logins either (D9). */
  async findByUserAgent(
    userId: number,
    userAgent: string,
    transaction: Transaction,
  ): Promise<Device | undefined> {
    const row = await this.#models.Device.findOne({
      where: { userId, userAgent, type: 'web' },
      order: [['id', 'ASC']],
      transaction,
    });
    return row ? toDevice(row) : undefined;
  }

  async update(
    id: number,
    values: Partial<Pick<Device, 'type' | 'name' | 'lastLoginAt' | 'isDisabled'>>,
    transaction: Transaction,
  ): Promise<Device | undefined> {
    const options = { where: { id }, transaction, returning: true } as const;
    const [, [row]] = await this.#models.Device.update(values, options);
    return row ? toDevice(row) : undefined;
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
    const rows = await selectRows<{ type: DeviceType; count: number }>(
      this.#sequelize,
      countActiveByType,
      [userId],
      transaction,
    );
    const counts: DeviceCounts = { web: 0, app: 0, desktop: 0 };
    for (const { type, count } of rows) counts[type] = count;
    return counts;
  }

  /**
   * Whether another account has logged in with this device token. Locks the token until the transaction ends: of two
   * accounts that log in simultaneously, the second sees the first.
   */
  async isUsedByAnotherAccount(token: string, userId: number, transaction: Transaction): Promise<boolean> {
    await selectRows(
      this.#sequelize,
      "SELECT pg_advisory_xact_lock(hashtext('auth device'), hashtext($1))",
      [token],
      transaction,
    );
    const where = { token, userId: { [Op.ne]: userId } };
    return (await this.#models.Device.count({ where, transaction })) > 0;
  }
}

function toDevice(row: DeviceModel): Device {
  return row.get();
}
