import { Client } from 'pg';
import type { SchemaName } from '../manifest.ts';

/** Opens a connection, runs `work` and closes the connection. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'gradeway backup',
    connectionTimeoutMillis: 10_000,
  });
  // Ignored, because a lost connection also rejects the query in progress.
  client.on('error', () => {});
  await client.connect();
  try {
    // Copying a large table may take hours.
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Runs `work` between BEGIN and COMMIT. If it fails, `withClient` closes the connection, which rolls back: a ROLLBACK would
 * wait forever behind a COPY whose rows are not read.
 */
export async function inTransaction<T>(client: Client, begin: string, work: () => Promise<T>): Promise<T> {
  await client.query(begin);
  const result = await work();
  await client.query('COMMIT');
  return result;
}

/** Runs `work` as the owner of a schema, within a transaction. Needs no superuser. */
export async function asOwner(client: Client, schema: SchemaName, work: () => Promise<void>): Promise<void> {
  await client.query(`SET LOCAL ROLE gradeway_${schema}`);
  await work();
  await client.query('RESET ROLE');
}
