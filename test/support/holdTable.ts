import { Client } from 'pg';

/** Locks a table, so that its users wait while they hold a connection. Returns a function that releases it. */
export async function holdTable(databaseUrl: string, table: string): Promise<() => Promise<void>> {
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table}`);
  return async () => {
    await client.query('COMMIT');
    await client.end();
  };
}
