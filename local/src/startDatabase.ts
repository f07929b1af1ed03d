import { join } from 'node:path';
import { startPostgres, superuserUrl } from './embeddedPostgres.ts';
import { freePort } from './ports.ts';
import type { Secrets } from './secrets.ts';
import type { LocalConfig } from './settings.ts';
import { type Supervised, supervise } from './supervise.ts';

interface Options {
  config: LocalConfig;
  directory: string;
  runDirectory: string;
  secrets: Secrets;
  say(line: string): void;
}

interface Database {
  adminUrl: string;
  database: string;
  /** The embedded server; undefined when the database is somebody else's. */
  supervised?: Supervised;
}

const ownDatabase = 'gradeway';

/** The database to work in: the one that DATABASE_URL names, else an embedded PostgreSQL. */
export async function startDatabase({
  config,
  directory,
  runDirectory,
  secrets,
  say,
}: Options): Promise<Database> {
  if (config.databaseUrl) {
    const url = new URL(config.databaseUrl);
    const database = url.pathname.slice(1) || ownDatabase;
    url.pathname = '/postgres';
    return { adminUrl: url.href, database };
  }
  say('Starting PostgreSQL…');
  const port = await freePort([config.port]);
  const password = secrets.postgres;
  const logFile = join(directory, 'logs', 'postgres.log');
  const supervised = await supervise({
    name: 'postgres',
    runDirectory,
    ports: { port, grpcPort: null, adminPort: null },
    start: () => startPostgres({ directory: join(directory, 'postgres'), port, password, logFile }),
    say,
  });
  return { adminUrl: superuserUrl({ port, password }), database: ownDatabase, supervised };
}
