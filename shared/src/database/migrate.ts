import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sequelize } from 'sequelize';
import type { Logger } from '../process/logger.ts';
import { isConnectionFailure } from './errors.ts';
import { query } from './query.ts';

// A process waits for a database that is starting or busy with many others, rather than exit and be restarted.
export const startWaitMs = 30_000;
const startPauseMs = 500;

/**
 * Applies the numbered `.sql` files of a folder that the schema does not have yet, each in its own transaction unless
 * its first line says otherwise (readMigration.ts). Several processes may call this at the same time: one migrates, the
 * others wait up to an hour for it. Waits up to 30 s for an unreachable database.
 * @param sequelize from `openMigrationDatabase`, because the query timeout of `openDatabase` is too short
 * @param only the names of the files to apply, in order, to restore the schema of an older version
 */
export async function migrate(
  sequelize: Sequelize,
  folder: URL,
  log: Logger,
  { only }: { only?: string[] } = {},
): Promise<void> {
  await waitForDatabase(sequelize, log);
  if (!only && (await isUpToDate(sequelize, folder))) return;
  // umzug also loads its command-line parser, which takes a tenth of the start-up time, and most starts apply nothing.
  const { applyMigrations } = await import('./applyMigrations.ts');
  await applyMigrations(sequelize, folder, log, only);
}

async function isUpToDate(sequelize: Sequelize, folder: URL): Promise<boolean> {
  const [table] = await query<{ name: string | null }>(sequelize, {
    sql: "SELECT to_regclass(format('%I.migrations', current_schema())) AS name",
  });
  if (!table?.name) return false;
  const applied = await query<{ name: string }>(sequelize, { sql: 'SELECT name FROM migrations' });
  const names = new Set(applied.map(({ name }) => name));
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'));
  return files.every((file) => names.has(file));
}

async function waitForDatabase(sequelize: Sequelize, log: Logger): Promise<void> {
  const endsAt = Date.now() + startWaitMs;
  for (;;) {
    try {
      await query(sequelize, { sql: 'SELECT 1' });
      return;
    } catch (error) {
      if (!isConnectionFailure(error) || Date.now() > endsAt) throw error;
      log.warn({ err: error }, 'waiting for the database');
      await sleep(startPauseMs);
    }
  }
}
