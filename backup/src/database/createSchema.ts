import { existsSync } from 'node:fs';
import { openMigrationDatabase } from '@gradeway/shared/database/connection';
import { migrate } from '@gradeway/shared/database/migrate';
import { createLogger } from '@gradeway/shared/process/logger';
import { type Client, escapeLiteral } from 'pg';
import type { Service } from '../manifest.ts';
import { withClient } from './connect.ts';

// Copied by bundleMigrations.js.
const migrationsOf = (service: Service): URL => new URL(`../migrations/${service}/`, import.meta.url);

// A comment on the schema: its tables were created by a restore that has not finished.
const unfinished = 'gradeway restore in progress';

const selectState = `
  SELECT obj_description(oid, 'pg_namespace') AS comment,
    EXISTS (SELECT FROM pg_class WHERE relnamespace = pg_namespace.oid) AS "hasTables"
  FROM pg_namespace WHERE nspname = $1`;

/**
 * @throws Error with a sentence for the operator when the schema has tables already, unless by a restore that failed, or
 *   when this version does not know a migration of the backup
 */
export async function requireEmptySchema(
  client: Client,
  service: Service,
  migrations: string[],
): Promise<void> {
  const unknown = migrations.filter((name) => !existsSync(new URL(name, migrationsOf(service))));
  if (unknown.length > 0)
    throw new Error(
      `the backup is from a newer version: ${service} has no migration ${unknown.join(', ')} here`,
    );
  const { rows } = await client.query<{ comment: string | null; hasTables: boolean }>(selectState, [service]);
  const [state] = rows;
  if (!state) throw new Error(`the schema ${service} does not exist: create the roles and schemas first`);
  if (state.hasTables && state.comment !== unfinished)
    throw new Error(
      `the installation is not empty: the schema ${service} has tables; restore into a new database`,
    );
}

/** Creates the tables of a schema as its own role does, up to the migrations of the backup. */
export async function createSchema(
  databaseUrl: string,
  service: Service,
  migrations: string[],
): Promise<void> {
  await withClient(databaseUrl, (client) => markSchema(client, service, unfinished));
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c role=gradeway_${service} -c search_path=${service}`);
  const sequelize = openMigrationDatabase({ url: url.href, name: `${service} restore` });
  try {
    await migrate(sequelize, migrationsOf(service), createLogger('restore', 'warn'), { only: migrations });
  } finally {
    await sequelize.close();
  }
}

/** Marks a schema as restored; in the transaction that loads its rows. */
export const markRestored = (client: Client, service: Service): Promise<void> =>
  markSchema(client, service, null);

async function markSchema(client: Client, service: Service, comment: string | null): Promise<void> {
  await client.query(`COMMENT ON SCHEMA ${service} IS ${comment === null ? 'NULL' : escapeLiteral(comment)}`);
}
