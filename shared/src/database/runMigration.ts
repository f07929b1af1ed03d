import { serviceSettings } from '../config/serviceSettings.ts';
import { createLogger } from '../process/logger.ts';
import { runCommand } from '../process/runCommand.ts';
import { openDatabaseToMigrate } from './connection.ts';
import { migrate } from './migrate.ts';

const { databaseUrl } = serviceSettings;

/**
 * Brings a service's schema up to date and ends: the step before a new version starts, while the old one still serves.
 * It needs `DATABASE_URL` alone. Of several at once one works and the others wait for it ({@link migrate}).
 */
export async function runMigration(name: string, migrations: URL): Promise<void> {
  await runCommand(`${name}: migration`, { databaseUrl }, async ({ config, onStop }) => {
    const sequelize = openDatabaseToMigrate({ url: config.databaseUrl, name: `${name} migration` });
    onStop('the database', () => sequelize.close());
    await migrate(sequelize, migrations, createLogger(name, 'info'));
    return `${name}: the schema is up to date`;
  });
}
