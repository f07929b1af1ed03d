import { serviceSettings } from '../config/serviceSettings.ts';
import { createLogger } from '../process/logger.ts';
import { type Command, defineCommand } from '../process/runCommand.ts';
import { openMigrationDatabase } from './connection.ts';
import { migrate } from './migrate.ts';

const { databaseUrl } = serviceSettings;

/**
 * Migrates a service's schema. Deployments run this before they start a new version, while the old one is still
 * serving. Reads only `DATABASE_URL`. Several may run at the same time ({@link migrate}).
 */
export const migrateCommand = (service: string, migrations: URL): Command =>
  defineCommand({
    title: `${service}: migration`,
    summary: 'migrates the schema',
    settings: { databaseUrl },
    async work({ config, onStop }) {
      const sequelize = openMigrationDatabase({ url: config.databaseUrl, name: `${service} migration` });
      onStop(() => sequelize.close());
      await migrate(sequelize, migrations, createLogger(service, 'info'));
      return `${service}: the schema is up to date`;
    },
  });
