import type { Sequelize } from 'sequelize';
import { counter, gauge } from '../metrics/registry.ts';
import { collectAtScrape } from '../metrics/scrapeCollectors.ts';
import { poolState } from './connectionPool.ts';
import { queryFailureReason, queryFailureReasons } from './errors.ts';
import { requestsWaitingFor } from './waitForConnections.ts';

const connections = gauge('db_client_connection_count', 'Connections of the pool to Postgres', [
  'db_client_connection_state',
]);
const max = gauge('db_client_connection_max', 'Maximum number of connections of the pool');
const waiting = gauge(
  'db_client_connection_pending_requests',
  'Queries and transactions that are waiting for a connection',
);
const failures = counter('gradeway_database_query_failures_total', 'Failed queries', ['reason']);

/** Measures the pool on each scrape and counts failed queries. Returns a function that stops measuring the pool. */
export function measureDatabase(sequelize: Sequelize): () => void {
  for (const reason of queryFailureReasons) failures.inc({ reason }, 0);
  countFailures(sequelize);
  return collectAtScrape({
    collect() {
      const pool = poolState(sequelize);
      connections.set({ db_client_connection_state: 'used' }, pool.used);
      connections.set({ db_client_connection_state: 'idle' }, pool.idle);
      waiting.set(pool.waiting + requestsWaitingFor(sequelize));
      max.set(pool.max);
    },
    clear: () => connections.reset(),
  });
}

/** Counts a failed prepared statement, which bypasses `sequelize.query`. */
export function countQueryFailure(error: unknown): void {
  failures.inc({ reason: queryFailureReason(error) });
}

// Sequelize's hooks report only successful queries. All queries go through this method, including BEGIN and COMMIT.
function countFailures(sequelize: Sequelize): void {
  const query = sequelize.query.bind(sequelize) as (...parameters: unknown[]) => Promise<unknown>;
  const counting = async (...parameters: unknown[]) => {
    try {
      return await query(...parameters);
    } catch (error) {
      countQueryFailure(error);
      throw error;
    }
  };
  sequelize.query = counting as typeof sequelize.query;
}
