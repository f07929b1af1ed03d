import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { binary } from './postgresLauncher.ts';

/**
 * Checks that this PostgreSQL can read a data directory. The server would refuse another major version too, but without
 * a remedy.
 * @throws Error that names both versions if a server of another major version wrote it
 */
export async function requireSameVersion(directory: string): Promise<void> {
  const writer = (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim();
  const output = spawnSync(binary('postgres'), ['--version'], { encoding: 'utf8' }).stdout ?? '';
  const own = /\d+/.exec(output)?.[0];
  // Where the program cannot run, its start reports the reason.
  if (own === undefined || own === writer) return;
  throw new Error(
    `${directory} was written by PostgreSQL ${writer}, and this Gradeway has PostgreSQL ${own}: ` +
      'restore a backup of it into a new DATA_DIR (docs/upgrade.md)',
  );
}
