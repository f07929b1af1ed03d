import type { Sequelize } from 'sequelize';
import { databaseFailures, kindOfFailure } from '../database/errors.ts';
import { counter, gauge } from './registry.ts';
import { collectAtScrape } from './scrapeCollectors.ts';

const connections = gauge('db_client_connection_count', 'Connections of the pool to Postgres', [
  'db_client_connection_state',
]);
const most = gauge('db_client_connection_max', 'Most connections that the pool may have');
const waiting = gauge(
  'db_client_connection_pending_requests',
  'Queries and transactions that wait for a connection',
);
const failures = counter('gradeway_database_query_failures_total', 'Queries that failed', ['reason']);

/** What is used here of the pool of Sequelize, a sequelize-pool. */
interface Pool {
  using: number;
  available: number;
  waiting: number;
  maxSize: number;
}

/** Measures the pool, and counts the queries that fail. Returns how to stop. */
export function measureDatabase(sequelize: Sequelize): () => void {
  for (const reason of databaseFailures) failures.inc({ reason }, 0);
  countFailures(sequelize);
  const { pool } = sequelize.connectionManager as unknown as { pool: Pool };
  return collectAtScrape({
    collect() {
      connections.set({ db_client_connection_state: 'used' }, pool.using);
      connections.set({ db_client_connection_state: 'idle' }, pool.available);
      waiting.set(pool.waiting);
      most.set(pool.maxSize);
    },
    clear: () => connections.reset(),
  });
}

/** Counts a query that failed beside Sequelize's own way to query. */
export function countQueryFailure(error: unknown): void {
  failures.inc({ reason: kindOfFailure(error) });
}

// Sequelize tells of queries that succeed (its hooks), not of those that fail. All of its own pass here, also
// BEGIN and COMMIT.
function countFailures(sequelize: Sequelize): void {
  const query = sequelize.query.bind(sequelize) as (...given: unknown[]) => Promise<unknown>;
  const counting = async (...given: unknown[]) => {
    try {
      return await query(...given);
    } catch (error) {
      countQueryFailure(error);
      throw error;
    }
  };
  sequelize.query = counting as typeof sequelize.query;
}
