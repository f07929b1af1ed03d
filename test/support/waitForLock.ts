import type { TestDatabase } from './testDatabase.ts';
import { waitFor } from './waitFor.ts';

const waiting = `
  SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

/** Waits until a statement in the database waits for a lock. */
export const waitForLock = (database: TestDatabase): Promise<unknown> =>
  waitFor(async () => (await database.query(waiting)).length > 0);
