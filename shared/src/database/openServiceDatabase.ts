import type { Sequelize } from 'sequelize';
import { requestContext } from '../process/requestContext.ts';
import type { ProcessContext } from '../process/runProcess.ts';
import { openDatabase, openMigrationDatabase } from './connection.ts';
import { migrate, startWaitMs } from './migrate.ts';
import { measureDatabase } from './poolMetrics.ts';
import { query } from './query.ts';

interface Config {
  databaseUrl: string;
  databasePool: number;
  databaseWait: number;
}

/** Migrates a service's schema, opens its connection pool and adds the database to the readiness checks. */
export async function openServiceDatabase(
  { config, log, health, onStop, isStarting }: ProcessContext<Config>,
  name: string,
  migrations: URL,
): Promise<Sequelize> {
  const migrating = openMigrationDatabase({ url: config.databaseUrl, name: `${name} migration` });
  await migrate(migrating, migrations, log).finally(() => migrating.close());
  const startEndsAt = Date.now() + startWaitMs;
  const sequelize = openDatabase({
    url: config.databaseUrl,
    name,
    pool: config.databasePool,
    waitMs: config.databaseWait,
    isStarting: () => isStarting() && Date.now() < startEndsAt,
  });
  onStop('the database', () => sequelize.close());
  measureDatabase(sequelize);
  // Runs outside a request context: the check must report an outage, not wait for its end.
  health.addCheck('database', () => requestContext.exit(() => query(sequelize, { sql: 'SELECT 1' })));
  return sequelize;
}
