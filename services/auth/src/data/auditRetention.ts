import { query } from '@gradeway/shared/database/query';
import type { Logger } from '@gradeway/shared/process/logger';
import { runEvery } from '@gradeway/shared/process/runEvery';
import type { Sequelize } from 'sequelize';

const everyMs = 6 * 3_600_000;
const entriesPerBatch = 1_000;

const before = "now() - $1::float8 * interval '1 millisecond'";
// Auth cannot delete entries itself (decision 0035).
const deleteBatch = `SELECT audit.delete_before(${before}, ${entriesPerBatch}) AS deleted`;
const count = `SELECT count(*)::integer AS entries FROM audit.entries WHERE at < ${before}`;

interface Options {
  sequelize: Sequelize;
  /** In milliseconds; 0 keeps entries forever. */
  retentionAuditLog: number;
  log: Logger;
}

/** Deletes audit entries past their retention, at the start and every six hours. Returns a function that stops it. */
export function scheduleAuditRetention({ sequelize, retentionAuditLog, log }: Options): () => Promise<void> {
  if (retentionAuditLog === 0) return async () => {};
  return runEvery({
    everyMs,
    startNow: true,
    async task(signal) {
      for (let deleted = entriesPerBatch; deleted === entriesPerBatch && !signal.aborted; ) {
        const [row] = await query<{ deleted: number }>(sequelize, {
          sql: deleteBatch,
          values: [retentionAuditLog],
        });
        deleted = row?.deleted ?? 0;
      }
    },
    log,
    failureMessage: 'could not delete audit entries past their retention',
  });
}

/** Counts the entries that the next run would delete. */
export async function countExpiredEntries(sequelize: Sequelize, retentionAuditLog: number): Promise<number> {
  const [row] = await query<{ entries: number }>(sequelize, { sql: count, values: [retentionAuditLog] });
  return row?.entries ?? 0;
}
