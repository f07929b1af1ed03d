import { escapeIdentifier } from 'pg';
import { withClient } from './database/connect.ts';
import { countStoredFiles } from './files/storedFiles.ts';
import { fileServices, type Manifest, schemaNames } from './manifest.ts';
import type { Progress } from './progress.ts';
import { restoreBackup } from './restoreBackup.ts';
import type { BackupStorage } from './storage/backupStorage.ts';

// The only database that is ever dropped.
const scratchDatabase = 'gradeway_restore_check';

interface Dependencies {
  /** An empty database with the roles and schemas, as before a restore. */
  templateUrl: string;
  progress: Progress;
}

/**
 * Restores a backup into a scratch database, a copy of the template on the same server, and compares it with the manifest.
 * Every file is decrypted and compared with its SHA-256, but none is kept. The scratch database is dropped afterwards; one
 * that a killed check left is dropped by the next.
 * @throws Error with the first difference
 */
export async function checkRestore(
  { templateUrl, progress }: Dependencies,
  storage: BackupStorage,
): Promise<Manifest> {
  const scratchUrl = new URL(templateUrl);
  scratchUrl.pathname = `/${scratchDatabase}`;
  await createScratch(templateUrl);
  try {
    const stores = { homework: discarding, quiz: discarding };
    const manifest = await restoreBackup(
      { databaseUrl: scratchUrl.href, stores, erasures: [], progress },
      storage,
    );
    await requireComplete(scratchUrl.href, manifest);
    return manifest;
  } finally {
    await withClient(templateUrl, async (client) => void (await client.query(dropScratch)));
  }
}

const dropScratch = `DROP DATABASE IF EXISTS ${scratchDatabase} WITH (FORCE)`;

// A restore compares each file with its size and SHA-256 before it stores it.
const discarding = { put: async () => {} };

function createScratch(templateUrl: string): Promise<void> {
  return withClient(templateUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    const template = rows[0]?.name ?? '';
    if (template === scratchDatabase)
      throw new Error(
        `BACKUP_CHECK_DATABASE_URL names ${scratchDatabase}, which is dropped after each check`,
      );
    await client.query(dropScratch);
    await client.query(`CREATE DATABASE ${scratchDatabase} TEMPLATE ${escapeIdentifier(template)}`);
  });
}

/** Counts what the database contains now, after all transactions of the restore. */
function requireComplete(databaseUrl: string, { schemas, files }: Manifest): Promise<void> {
  return withClient(databaseUrl, async (client) => {
    for (const schema of schemaNames)
      for (const { name, rows: expected } of schemas[schema].tables) {
        const { rows } = await client.query<{ count: number }>(
          `SELECT count(*)::float8 AS count FROM ${schema}.${escapeIdentifier(name)}`,
        );
        const count = rows[0]?.count ?? 0;
        // A restore adds rows of its own: it revokes signing keys.
        if (count < expected)
          throw new Error(`${schema}.${name} has ${count} rows, but the manifest lists ${expected}`);
      }
    for (const service of fileServices) {
      const { count, bytes } = await countStoredFiles(client, service);
      const expected = files[service];
      if (count !== expected.count || bytes !== expected.bytes)
        throw new Error(
          `${service} refers to ${count} files (${bytes} bytes), but the manifest lists ${expected.count} (${expected.bytes} bytes)`,
        );
    }
  });
}
