import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TestDatabase } from '@gradeway/test/testDatabase';
import { openMigrationDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { createLogger } from '../../src/process/logger.ts';

export interface MigrationFolder {
  path: string;
  /** Migrates the schema of quiz with these files, as one more process does. */
  migrate(): Promise<void>;
  remove(): Promise<void>;
}

/** A folder with these migrations, by name. */
export async function createMigrationFolder(
  database: TestDatabase,
  files: Record<string, string>,
): Promise<MigrationFolder> {
  const path = await mkdtemp(join(tmpdir(), 'gradeway-migrations-'));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(path, name), sql);
  return {
    path,
    async migrate() {
      const sequelize = openMigrationDatabase({ url: database.url('quiz'), name: 'test migration' });
      const log = createLogger('test', 'silent');
      await migrate(sequelize, pathToFileURL(`${path}/`), log).finally(() => sequelize.close());
    },
    remove: () => rm(path, { recursive: true }),
  };
}
