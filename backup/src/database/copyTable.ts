import { createHash, type Hash } from 'node:crypto';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type Client, escapeIdentifier } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type SchemaName, type TableEntry, tableObject } from '../manifest.ts';
import type { BackupStorage } from '../storage/backupStorage.ts';

interface Table {
  schema: SchemaName;
  name: string;
  columns: string[];
}

/**
 * Writes the rows of a table to a compressed object, in PostgreSQL's text format. Returns the number of rows and the
 * object's SHA-256.
 */
export async function exportTable(client: Client, table: Table, storage: BackupStorage): Promise<TableEntry> {
  const copy = client.query(copyTo(`COPY ${target(table)} TO STDOUT`));
  const sum = createHash('sha256');
  // Compressed at the fastest level, because compression would otherwise take most of the time.
  await pipeline(copy, createGzip({ level: 1 }), hashing(sum), (content) =>
    storage.write(tableObject(table.schema, table.name), content),
  );
  return { name: table.name, columns: table.columns, rows: copy.rowCount, sha256: sum.digest('hex') };
}

/**
 * Loads the rows of a table from its object.
 * @throws Error when the object differs from the manifest; the caller rolls the transaction back
 */
export async function importTable(
  client: Client,
  { schema, ...entry }: TableEntry & { schema: SchemaName },
  storage: BackupStorage,
): Promise<void> {
  const table = { schema, name: entry.name, columns: entry.columns };
  const copy = client.query(copyFrom(`COPY ${target(table)} FROM STDIN`));
  const sum = createHash('sha256');
  const object = tableObject(schema, entry.name);
  await pipeline(storage.read(object), hashing(sum), createGunzip(), copy);
  if (sum.digest('hex') !== entry.sha256)
    throw new Error(`${object} is damaged: its SHA-256 differs from the manifest`);
  if (copy.rowCount !== entry.rows)
    throw new Error(
      `${schema}.${entry.name}: ${copy.rowCount} rows were loaded, but the manifest lists ${entry.rows}`,
    );
}

const target = ({ schema, name, columns }: Table): string =>
  `${escapeIdentifier(schema)}.${escapeIdentifier(name)} (${columns.map(escapeIdentifier).join(', ')})`;

const hashing = (sum: Hash): Transform =>
  new Transform({
    transform(chunk, _encoding, done) {
      sum.update(chunk);
      done(null, chunk);
    },
  });
