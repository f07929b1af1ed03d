import { readConfig } from '@gradeway/shared/config/readConfig';
import { createLogger } from '@gradeway/shared/process/logger';
import { bucketSettings, settings } from './config.ts';
import { createBackup } from './createBackup.ts';
import { deleteOldBackups } from './deleteOldBackups.ts';
import { openFileStores } from './files/openFileStores.ts';
import { type Manifest, totalsOf } from './manifest.ts';
import type { Command } from './parseCommand.ts';
import { prepareRecovered } from './prepareRecovered.ts';
import { Progress } from './progress.ts';
import { type ListedErasure, readErasureList } from './repeatErasures.ts';
import { restoreBackup } from './restoreBackup.ts';
import { type Backups, newestComplete, newName } from './storage/backupStorage.ts';
import { directoryBackups } from './storage/directoryBackups.ts';
import { verifyBackup } from './verifyBackup.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const progress = new Progress(print);

/** Runs a command that ends. Returns the exit code. @throws Error with a sentence for the operator */
export async function execute(command: Command): Promise<number> {
  const { place } = command;
  if (!place) return prepare();
  if (command.action === 'check-restore') return check(place.name ?? 'latest');
  const backups = await openBackups(place.directory);
  return executeOn(backups, command, place.name ?? newName()).finally(() => backups.close());
}

async function openBackups(directory: string | undefined): Promise<Backups> {
  if (directory !== undefined) return directoryBackups(directory);
  // Imported only when used, because the AWS SDK is large.
  const { bucketBackups } = await import('./storage/bucketBackups.ts');
  return bucketBackups(readConfig(bucketSettings, process.env), createLogger('backup', 'error'));
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

async function executeOn(backups: Backups, { action, place, keep }: Command, name: string): Promise<number> {
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
