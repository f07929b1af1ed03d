import type { Client } from 'pg';
import type { FileService } from '../manifest.ts';

export interface StoredFile {
  key: string;
  size: number;
  /** Hexadecimal. */
  sha256: string;
}

const pageRows = 5_000;

// Pending uploads have not been confirmed to a client, removed files have no record, and reduced files have no bytes
// (D49).
const isStored = 'attached_at IS NOT NULL AND removed_at IS NULL AND reduced_at IS NULL';

/**
 * Yields the files that a record refers to, as the current transaction sees them. Reads in pages, because their number
 * is unlimited.
 */
export async function* storedFiles(client: Client, service: FileService): AsyncGenerator<StoredFile> {
  for (let after = 0; ; ) {
    const { rows } = await client.query<StoredFile & { id: number }>(
      `SELECT id, key, size::float8 AS size, sha256 FROM ${service}.files
       WHERE ${isStored} AND id > $1 ORDER BY id LIMIT ${pageRows}`,
      [after],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield* rows;
    after = last.id;
  }
}

export async function countStoredFiles(
  client: Client,
  service: FileService,
): Promise<{ count: number; bytes: number }> {
  const { rows } = await client.query<{ count: number; bytes: number }>(
    `SELECT count(*)::int AS count, coalesce(sum(size), 0)::float8 AS bytes FROM ${service}.files WHERE ${isStored}`,
  );
  return rows[0] ?? { count: 0, bytes: 0 };
}

/** Whether a record still refers to the file now, which the snapshot cannot show. */
export async function isStillStored(client: Client, service: FileService, key: string): Promise<boolean> {
  const { rowCount } = await client.query(`SELECT 1 FROM ${service}.files WHERE key = $1 AND ${isStored}`, [
    key,
  ]);
  return rowCount === 1;
}
