import { Client } from 'pg';

/** Locks a table, so that whoever needs it waits with a connection. Returns what releases it. */
export async function holdTable(databaseUrl: string, table: string): Promise<() => Promise<void>> {
  const client = new Client(databaseUrl);
  await client.connect();
  await client.query(`BEGIN; LOCK TABLE ${table}`);
  return async () => {
    await client.query('COMMIT');
    await client.end();
  };
}
