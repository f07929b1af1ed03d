import { existsSync } from 'node:fs';
import { openMigrationDatabase } from '@gradeway/shared/database/connection';
import { migrate } from '@gradeway/shared/database/migrate';
import { createLogger } from '@gradeway/shared/process/logger';
import { type Client, escapeIdentifier, escapeLiteral } from 'pg';
import type { SchemaName } from '../manifest.ts';
import { withClient } from './connect.ts';
import { readSchema } from './readSchema.ts';

// Copied by bundleMigrations.js.
const migrationsOf = (schema: SchemaName): URL => new URL(`../migrations/${schema}/`, import.meta.url);

// Comment on a schema whose tables were created by an unfinished restore.
const unfinished = 'gradeway restore in progress';

const selectState = `
  SELECT obj_description(oid, 'pg_namespace') AS comment,
    EXISTS (SELECT FROM pg_class WHERE relnamespace = pg_namespace.oid) AS "hasTables"
  FROM pg_namespace WHERE nspname = $1`;

/**
 * @throws Error with a sentence for the operator when the schema already has tables, unless a failed restore created
 * them, or when this version does not know a migration of the backup
 */
export async function requireEmptySchema(
  client: Client,
  schema: SchemaName,
  migrations: string[],
): Promise<void> {
  const unknown = migrations.filter((name) => !existsSync(new URL(name, migrationsOf(schema))));
  if (unknown.length > 0)
    throw new Error(
      `the backup is from a newer version: ${schema} has no migration ${unknown.join(', ')} here`,
    );
  const { rows } = await client.query<{ comment: string | null; hasTables: boolean }>(selectState, [schema]);
  const [state] = rows;
  if (!state) throw new Error(`the schema ${schema} does not exist: create the roles and schemas first`);
  // The audit log is created with the roles, not by migrations.
  const isEmpty = migrations.length === 0 ? !(await hasRows(client, schema)) : !state.hasTables;
  if (!isEmpty && state.comment !== unfinished)
    throw new Error(
      `the installation is not empty: the schema ${schema} has data; restore into a new database`,
    );
}

async function hasRows(client: Client, schema: SchemaName): Promise<boolean> {
  const { tables } = await readSchema(client, schema);
  for (const { name } of tables) {
    const { rowCount } = await client.query(`SELECT 1 FROM ${schema}.${escapeIdentifier(name)} LIMIT 1`);
    if (rowCount !== 0) return true;
  }
  return false;
}

/** Creates the tables of a schema under the schema's own role, up to the migrations of the backup. */
export async function createSchema(
  databaseUrl: string,
  schema: SchemaName,
  migrations: string[],
): Promise<void> {
  if (migrations.length === 0) return;
  await withClient(databaseUrl, (client) => markSchema(client, schema, unfinished));
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c role=gradeway_${schema} -c search_path=${schema}`);
  const sequelize = openMigrationDatabase({ url: url.href, name: `${schema} restore` });
  try {
    await migrate(sequelize, migrationsOf(schema), createLogger('restore', 'warn'), { only: migrations });
  } finally {
    await sequelize.close();
  }
}

/** Marks a schema as restored, with the id of this restore. Runs in the transaction that loads the rows. */
export const markRestored = (client: Client, schema: SchemaName, id: string): Promise<void> =>
  markSchema(client, schema, `gradeway restore ${id}`);

async function markSchema(client: Client, schema: SchemaName, comment: string): Promise<void> {
  await client.query(`COMMENT ON SCHEMA ${schema} IS ${escapeLiteral(comment)}`);
}
