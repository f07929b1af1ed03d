import type { Sequelize } from 'sequelize';
import { counter, gauge } from '../metrics/registry.ts';
import { collectAtScrape } from '../metrics/scrapeCollectors.ts';
import { queryFailureReason, queryFailureReasons } from './errors.ts';
import { requestsWaitingFor } from './waitForConnections.ts';

const connections = gauge('db_client_connection_count', 'Connections of the pool to Postgres', [
  'db_client_connection_state',
]);
const most = gauge('db_client_connection_max', 'Maximum number of connections of the pool');
const waiting = gauge(
  'db_client_connection_pending_requests',
  'Queries and transactions that are waiting for a connection',
);
const failures = counter('gradeway_database_query_failures_total', 'Failed queries', ['reason']);

/** The properties of Sequelize's pool (sequelize-pool) that are used here. */
interface Pool {
  using: number;
  available: number;
  waiting: number;
  maxSize: number;
}

/** Measures the pool at each scrape and counts failed queries. Returns a function that stops measuring the pool. */
export function measureDatabase(sequelize: Sequelize): () => void {
  for (const reason of queryFailureReasons) failures.inc({ reason }, 0);
  countFailures(sequelize);
  const { pool } = sequelize.connectionManager as unknown as { pool: Pool };
  return collectAtScrape({
    collect() {
      connections.set({ db_client_connection_state: 'used' }, pool.using);
      connections.set({ db_client_connection_state: 'idle' }, pool.available);
      waiting.set(pool.waiting + requestsWaitingFor(sequelize));
      most.set(pool.maxSize);
    },
    clear: () => connections.reset(),
  });
}

/** Counts a failed query that bypassed `sequelize.query`. */
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
