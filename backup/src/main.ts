import { ConfigError, readConfig } from '@gradeway/shared/config/readConfig';
import { createLogger } from '@gradeway/shared/process/logger';
import { bucketSettings, settings } from './config.ts';
import { createBackup } from './createBackup.ts';
import { deleteOldBackups } from './deleteOldBackups.ts';
import { openFileStores } from './files/openFileStores.ts';
import { type Manifest, totalsOf } from './manifest.ts';
import { type Command, parseCommand } from './parseCommand.ts';
import { prepareRecovered } from './prepareRecovered.ts';
import { Progress } from './progress.ts';
import { type ListedErasure, readErasureList } from './repeatErasures.ts';
import { restoreBackup } from './restoreBackup.ts';
import { type Backups, newestComplete, newName } from './storage/backupStorage.ts';
import { directoryBackups } from './storage/directoryBackups.ts';
import { verifyBackup } from './verifyBackup.ts';

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

const print = (line: string) => process.stdout.write(`${line}\n`);
const progress = new Progress(print);

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
    if (command.action === 'metrics') return await serveMetrics();
    if (!command.place) return await prepare();
    if (command.action === 'check-restore') return await check(command.place.name ?? 'latest');
    const backups = await openBackups(command.place.directory);
    return await execute(command, backups, command.place.name ?? newName()).finally(() => backups.close());
  } catch (error) {
    const hint = error instanceof ConfigError ? ' (see --help)' : '';
    process.stderr.write(`${command.action}: ${(error as Error).message}${hint}\n`);
    return 1;
  }
}

async function openBackups(directory: string | undefined): Promise<Backups> {
  if (directory !== undefined) return directoryBackups(directory);
  // Imported only when used, because the AWS SDK is large.
  const { bucketBackups } = await import('./storage/bucketBackups.ts');
  return bucketBackups(readConfig(bucketSettings, process.env), createLogger('backup', 'error'));
}

async function serveMetrics(): Promise<number> {
  const { runMetrics } = await import('./metrics/runMetrics.ts');
  await runMetrics();
  return 0;
}

async function check(name: string): Promise<number> {
  const { checkFromBucket } = await import('./checkFromBucket.ts');
  const startedAt = Date.now();
  const { manifest, location } = await checkFromBucket(name, progress);
  report('Restored and compared', manifest, location, startedAt);
  return 0;
}

async function prepare(): Promise<number> {
  const { databaseUrl, erasureList } = readConfig(settings, process.env);
  await prepareRecovered({ databaseUrl, erasures: await readErasures(erasureList), progress });
  print('Prepared: the services can be started');
  return 0;
}

async function readErasures(path: string | undefined): Promise<ListedErasure[]> {
  const erasures = await readErasureList(path);
  if (!erasures)
    print(
      `${path ?? 'ERASURE_LIST'} does not exist: people erased since the backup are restored. Erase them again (docs/backup.md)`,
    );
  return erasures ?? [];
}

async function execute({ action, place, keep }: Command, backups: Backups, name: string): Promise<number> {
  const startedAt = Date.now();
  const isLatest = name === 'latest' && place?.directory === undefined;
  const openExisting = async () => backups.open(isLatest ? await newestComplete(backups) : name);
  if (action === 'verify') {
    const storage = await openExisting();
    report('Verified', await verifyBackup(storage, progress), storage.location, startedAt);
    return 0;
  }
  const config = readConfig(settings, process.env);
  const stores = await openFileStores(config, createLogger('backup', 'warn'));
  try {
    const dependencies = { databaseUrl: config.databaseUrl, stores, progress };
    if (action === 'restore') {
      const storage = await openExisting();
      const erasures = await readErasures(config.erasureList);
      const restored = await restoreBackup({ ...dependencies, erasures }, storage);
      report('Restored', restored, storage.location, startedAt);
      return 0;
    }
    const storage = await backups.create(name);
    const manifest = await createBackup(dependencies, storage);
    report('Backed up', manifest, storage.location, startedAt);
    if (keep !== undefined) await deleteOldBackups(backups, keep, print);
    for (const { service, key, problem } of manifest.problems)
      process.stderr.write(
        `The file ${key} of ${service} is ${problem} in the store; it is not in the backup.\n`,
      );
    return manifest.problems.length > 0 ? 3 : 0;
  } finally {
    for (const store of Object.values(stores)) store.close();
  }
}

function report(what: string, manifest: Manifest, location: string, startedAt: number): void {
  const { rows, files, bytes } = totalsOf(manifest);
  const took = ((Date.now() - startedAt) / 1_000).toFixed(1);
  print(`${what} ${rows} rows and ${files} files (${(bytes / 1e6).toFixed(1)} MB) in ${took} s: ${location}`);
}
