import { serviceSettings } from '../config/serviceSettings.ts';
import { createLogger } from '../process/logger.ts';
import { runCommand } from '../process/runCommand.ts';
import { openMigrationDatabase } from './connection.ts';
import { migrate } from './migrate.ts';

const { databaseUrl } = serviceSettings;

/**
 * Migrates a service's schema and exits. Deployments run this before they start a new version, while the old one is
 * still serving. Reads only `DATABASE_URL`. Several may run at the same time ({@link migrate}).
 */
export async function runMigration(name: string, migrations: URL): Promise<void> {
  await runCommand(`${name}: migration`, { databaseUrl }, async ({ config, onStop }) => {
    const sequelize = openMigrationDatabase({ url: config.databaseUrl, name: `${name} migration` });
    onStop('the database', () => sequelize.close());
    await migrate(sequelize, migrations, createLogger(name, 'info'));
    return `${name}: the schema is up to date`;
  });
}
