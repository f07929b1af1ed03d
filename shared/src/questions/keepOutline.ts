import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import type { ReleaseRepository } from '../items/releaseRepository.ts';

interface Dependencies {
  sequelize: Sequelize;
  releases: ReleaseRepository;
}

/**
 * Prevents changes to the settings and the questions of an item until the end of the transaction. They are its first
 * locks.
 */
export async function keepOutline(
  { sequelize, releases }: Dependencies,
  itemId: number,
  transaction: Transaction,
): Promise<void> {
  await releases.lockShared(itemId, transaction);
  await query(sequelize, { sql: 'SELECT lock_outline_shared($1)', values: [itemId], transaction });
}
