import { join } from 'node:path';
import type { LocalConfig } from './config.ts';
import { startPostgres, superuserUrl } from './embeddedPostgres.ts';
import { freePort } from './ports.ts';
import type { Secrets } from './secrets.ts';
import { type Supervised, supervise } from './supervise.ts';

interface Options {
  config: LocalConfig;
  directory: string;
  runDirectory: string;
  secrets: Secrets;
  print(line: string): void;
}

interface Database {
  adminUrl: string;
  database: string;
  /** The embedded server; undefined with DATABASE_URL. */
  server?: Supervised;
}

export const defaultDatabase = 'gradeway';

/**
 * Returns the database of DATABASE_URL. Without DATABASE_URL, starts an embedded PostgreSQL and returns its database.
 */
export async function openDatabase({
  config,
  directory,
  runDirectory,
  secrets,
  print,
}: Options): Promise<Database> {
  if (config.databaseUrl) {
    const url = new URL(config.databaseUrl);
    const database = url.pathname.slice(1) || defaultDatabase;
    url.pathname = '/postgres';
    return { adminUrl: url.href, database };
  }
  print('Starting PostgreSQL…');
  const port = await freePort([config.port]);
  const password = secrets.postgres;
  const logFile = join(directory, 'logs', 'postgres.log');
  const server = await supervise({
    name: 'postgres',
    runDirectory,
    ports: { port, grpcPort: null, adminPort: null },
    start: () => startPostgres({ directory: join(directory, 'postgres'), port, password, logFile }),
    print,
  });
  return { adminUrl: superuserUrl({ port, password }), database: defaultDatabase, server };
}
