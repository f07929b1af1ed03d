import { Client } from 'pg';

/**
 * Opens a connection with a transaction that a test controls, to hold locks for which others wait. The caller ends
 * the connection.
 */
export async function openTransaction(databaseUrl: string): Promise<Client> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN');
  return client;
}
