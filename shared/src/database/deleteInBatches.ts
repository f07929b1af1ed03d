import type { Sequelize } from 'sequelize';
import { query } from './query.ts';

/** Rows deleted per statement: few enough to hold no lock for long. */
export const deleteBatchSize = 1_000;

/**
 * Repeats a statement that deletes up to {@link deleteBatchSize} rows and returns one row for each, until no rows are
 * left, so that housekeeping keeps up with any load. Stops early when the signal is aborted. Returns the number of
 * deleted rows.
 */
export async function deleteInBatches(
  sequelize: Sequelize,
  sql: string,
  values: unknown[] = [],
  signal?: AbortSignal,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const { length } = await query(sequelize, { sql, values });
    deleted += length;
    if (length < deleteBatchSize || signal?.aborted) return deleted;
  }
}
