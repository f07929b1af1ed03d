import type { Schema } from '@gradeway/local/provisionDatabase';
import { Client } from 'pg';
import type { TestDatabase } from './testDatabase.ts';
import { waitForLock } from './waitForLock.ts';

interface Race<T> {
  database: TestDatabase;
  schema: Schema;
  /** Takes the lock that the request will wait for. */
  lock: string;
  send(): Promise<T>;
  /** Committed while the request waits. */
  change: string;
}

/**
 * Sends a request that has to wait for another transaction's lock, and meanwhile commits a change in that
 * transaction.
 */
export async function changeWhileWaiting<T>({ database, schema, lock, send, change }: Race<T>): Promise<T> {
  const other = new Client({ connectionString: database.url(schema) });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(lock);
    const sent = send();
    await waitForLock(database);
    await other.query(change);
    await other.query('COMMIT');
    return await sent;
  } finally {
    await other.end();
  }
}
