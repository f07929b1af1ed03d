import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PostgresOptions } from '@gradeway/local/embeddedPostgres';
import { Client } from 'pg';

const run = promisify(execFile);

/**
 * Copies the files of a running server, like pg_basebackup, which is not among the embedded programs. The copy needs
 * the log of the server since then.
 */
export async function copyDataDirectory(
  adminUrl: string,
  from: PostgresOptions,
  to: PostgresOptions,
): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('copy', fast => true)");
    await run('cp', ['-a', from.directory, to.directory]);
    const stop = 'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)';
    const { rows } = await client.query<{ labelfile: string }>(stop);
    await writeFile(join(to.directory, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  await rm(join(to.directory, 'postmaster.pid'), { force: true });
}
