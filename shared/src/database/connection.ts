import { ConnectionError, Sequelize, type Transaction } from 'sequelize';
import { StillWaiting } from '../errors/stillWaiting.ts';
import { registerErrorTranslator } from '../errors/toAppError.ts';
import { traceQueries } from '../tracing/sqlSpans.ts';
import { limitShare } from './connectionShare.ts';
import { isDatabaseUnavailable, isTransactionConflict, translateDatabaseError } from './errors.ts';
import { fallBackTo } from './passwordFallback.ts';
import { postgresDriver } from './postgresDriver.ts';
import { limitStatementsByTransaction } from './statementTimeout.ts';
import { waitForConnections } from './waitForConnections.ts';

// Also the default of the roles (k8s/platform/postgres/roles.sql), for connections through PgBouncer.
const defaultTimeoutMs = 5_000;

interface Options {
  /** One URL, or two separated by a space. The second is used if Postgres rejects the password of the first. */
  url: string;
  /** `application_name`, as shown in pg_stat_activity. */
  name: string;
  /** Maximum number of connections. */
  pool: number;
  /**
   * Max duration of a statement in milliseconds, 5,000 by default. Raise it for bulk work that no short request waits
   * for.
   */
  statementTimeoutMs?: number;
  /** How long requests wait for an unreachable database, in milliseconds ({@link waitForConnections}). 0 by default. */
  waitMs?: number;
  /** While this returns true, everything else waits as well. False by default. */
  isStarting?: () => boolean;
}

/**
 * Opens a connection pool. Every wait has a timeout: for a connection, a lock, a query, or a hung server to respond. A
 * timeout counts as an unavailable database ({@link translateDatabaseError}).
 */
export function openDatabase({
  statementTimeoutMs = defaultTimeoutMs,
  waitMs = 0,
  isStarting,
  ...options
}: Options): Sequelize {
  // The server cancels a statement first. The client-side timeout covers a server that hangs.
  const sequelize = open(
    { ...options, statementTimeoutMs },
    { queryTimeoutMs: statementTimeoutMs + 1_000, lockTimeoutMs: 4_000 },
  );
  if (statementTimeoutMs !== defaultTimeoutMs) limitStatementsByTransaction(sequelize, statementTimeoutMs);
  if (waitMs > 0) waitForConnections(sequelize, { limitMs: waitMs, isStarting });
  limitShare(sequelize, Math.max(1, Math.floor(options.pool / 2)));
  return sequelize;
}

/**
 * Opens two connections for a migration: one holds the lock, the other runs the statements. There is no client-side
 * query timeout. Transactions have their own limits (runMigration.ts). An index that is built CONCURRENTLY, and for which
 * nothing else waits, may take an hour, and wait as long for older transactions; through PgBouncer, the timeouts of the role
 * apply instead (k8s/README.md).
 */
export function openMigrationDatabase({ url, name }: Pick<Options, 'url' | 'name'>): Sequelize {
  return open({ url, name, pool: 2, statementTimeoutMs: 3_600_000 }, { queryTimeoutMs: 0, lockTimeoutMs: 0 });
}

function open(
  { url, name, pool, statementTimeoutMs }: Required<Omit<Options, 'waitMs' | 'isStarting'>>,
  { queryTimeoutMs, lockTimeoutMs }: { queryTimeoutMs: number; lockTimeoutMs: number },
): Sequelize {
  const [primary = '', secondary] = url.split(/\s+/);
  const sequelize = new Sequelize(primary, {
    dialect: 'postgres',
    dialectModule: postgresDriver,
    logging: false,
    pool: { max: pool, min: 0, acquire: 3_000, idle: 30_000, evict: 5_000 },
    define: { underscored: true, timestamps: false },
    dialectOptions: {
      application_name: name,
      connectionTimeoutMillis: 2_000,
      query_timeout: queryTimeoutMs,
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: 10_000,
      keepAlive: true,
    },
  });
  if (secondary) fallBackTo(sequelize, secondary);
  traceQueries(sequelize);
  registerErrorTranslator(translateDatabaseError);
  return sequelize;
}

/**
 * Runs `work` in a transaction, up to three times. Retries after a deadlock or a serialization failure, and when the
 * connection was lost before `work` began. `work` must therefore have no effect outside the database.
 */
export async function inTransaction<T>(
  sequelize: Sequelize,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    let began = false;
    try {
      return await sequelize.transaction((transaction) => {
        began = true;
        return work(transaction);
      });
    } catch (error) {
      if (attempt === 3 || !(isTransactionConflict(error) || (!began && isLostAtBegin(error)))) throw error;
    }
  }
}

// Only BEGIN was sent. A ConnectionError means that no connection could be obtained at all.
const isLostAtBegin = (error: unknown): boolean =>
  isDatabaseUnavailable(error) && !(error instanceof ConnectionError || error instanceof StillWaiting);
