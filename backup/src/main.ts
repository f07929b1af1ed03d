import { ConfigError } from '@gradeway/shared/config/readConfig';
import { settings } from './config.ts';
import { parseCommand } from './parseCommand.ts';

const help = `Backs up and restores the database and the files of all services.

  node dist/main.js backup DIR          into DIR, which must be empty or absent; the system may be running
  node dist/main.js backup --below DIR [--keep N]
                                        into a new directory below DIR, named after the time; --keep N deletes all but the newest N
  node dist/main.js backup --to-bucket [--keep N]
                                        into BACKUP_S3_BUCKET, encrypted for BACKUP_AGE_RECIPIENT
  node dist/main.js verify DIR          reads a backup and verifies every checksum
  node dist/main.js restore DIR         into an empty installation whose services are stopped
  node dist/main.js verify|restore --from-bucket NAME|latest
                                        reads BACKUP_S3_BUCKET, decrypts with BACKUP_AGE_IDENTITY
  node dist/main.js check-restore --from-bucket NAME|latest
                                        restores into a scratch database on BACKUP_CHECK_DATABASE_URL, compares rows and files, drops
                                        it, and records the result in the bucket
  node dist/main.js metrics             serves the age and size of the backups and the result of the last check, until it is stopped
  node dist/main.js prepare-recovered   after another recovery of the database, before the services start: ends all sessions,
                                        leaves gaps in the ids, sends events again and repeats erasures, as a restore does

Settings: ${Object.values(settings)
  .map(({ name }) => name)
  .join(', ')}
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 backed up, but some files were already missing or damaged in the store
`;

process.exit(await run(process.argv.slice(2)));

async function run(parameters: string[]): Promise<number> {
  if (parameters.some((each) => each === '--help' || each === '-h')) {
    process.stdout.write(help);
    return 0;
  }
  const command = parseCommand(parameters);
  if (!command) {
    process.stderr.write(help);
    return 2;
  }
  try {
    // Imported only when used: the process that serves the metrics needs no database.
    if (command.action !== 'metrics') return await (await import('./execute.ts')).execute(command);
    await (await import('./metrics/runMetrics.ts')).runMetrics();
    return 0;
  } catch (error) {
    const hint = error instanceof ConfigError ? ' (see --help)' : '';
    process.stderr.write(`${command.action}: ${(error as Error).message}${hint}\n`);
    return 1;
  }
}
