import { resolve } from 'node:path';
import { ConfigError, readConfig } from '@gradeway/shared/config/readConfig';
import { createLogger } from '@gradeway/shared/process/logger';
import { settings } from './config.ts';
import { createBackup } from './createBackup.ts';
import { deleteOldBackups } from './deleteOldBackups.ts';
import { openFileStores } from './files/openFileStores.ts';
import type { Manifest } from './manifest.ts';
import { prepareRecovered } from './prepareRecovered.ts';
import { Progress } from './progress.ts';
import { type ListedErasure, readErasureList } from './repeatErasures.ts';
import { restoreBackup } from './restoreBackup.ts';
import { verifyBackup } from './verifyBackup.ts';

const help = `Backs up and restores the database and the files of all services.

  node dist/main.js backup DIR          into DIR, which must be empty or absent; the system may be running
  node dist/main.js backup --below DIR [--keep N]
                                        into a new directory below DIR, named after the time; --keep N deletes all but the newest N
  node dist/main.js verify DIR          reads a backup and verifies every checksum
  node dist/main.js restore DIR         into an empty installation whose services are stopped
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

async function run([command = '', ...parameters]: string[]): Promise<number> {
  if (
    command === '--help' ||
    command === '-h' ||
    parameters.some((each) => each === '--help' || each === '-h')
  ) {
    process.stdout.write(help);
    return 0;
  }
  const target = readTarget(command, parameters);
  if (!target && !(command === 'prepare-recovered' && parameters.length === 0)) {
    process.stderr.write(help);
    return 2;
  }
  try {
    return await (target ? execute(command, target) : prepare());
  } catch (error) {
    const hint = error instanceof ConfigError ? ' (see --help)' : '';
    process.stderr.write(`${command}: ${(error as Error).message}${hint}\n`);
    return 1;
  }
}

interface Target {
  directory: string;
  parent?: { directory: string; keep: number | undefined };
}

function readTarget(command: string, parameters: string[]): Target | undefined {
  if (!['backup', 'verify', 'restore'].includes(command)) return undefined;
  const [first, second, option, number, ...rest] = parameters;
  if (command === 'backup' && first === '--below' && second && rest.length === 0) {
    const keep = option === '--keep' ? Number(number) : undefined;
    if (option !== undefined && !(keep !== undefined && Number.isInteger(keep) && keep > 0)) return undefined;
    const directory = resolve(second);
    const name = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
    return { directory: `${directory}/${name}`, parent: { directory, keep } };
  }
  return first && !first.startsWith('-') && second === undefined ? { directory: resolve(first) } : undefined;
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

async function execute(command: string, { directory, parent }: Target): Promise<number> {
  const startedAt = Date.now();
  const report = (what: string, manifest: Manifest) =>
    print(
      `${what} ${summaryOf(manifest)} in ${((Date.now() - startedAt) / 1_000).toFixed(1)} s: ${directory}`,
    );
  if (command === 'verify') {
    report('Verified', await verifyBackup(directory, progress));
    return 0;
  }
  const config = readConfig(settings, process.env);
  const stores = await openFileStores(config, createLogger('backup', 'warn'));
  try {
    const dependencies = { databaseUrl: config.databaseUrl, stores, progress };
    if (command === 'restore') {
      const erasures = await readErasures(config.erasureList);
      report('Restored', await restoreBackup({ ...dependencies, erasures }, directory));
      return 0;
    }
    const manifest = await createBackup(dependencies, directory);
    report('Backed up', manifest);
    if (parent?.keep !== undefined) await deleteOldBackups(parent.directory, parent.keep, print);
    for (const { service, key, problem } of manifest.problems)
      process.stderr.write(
        `The file ${key} of ${service} is ${problem} in the store; it is not in the backup.\n`,
      );
    return manifest.problems.length > 0 ? 3 : 0;
  } finally {
    for (const store of Object.values(stores)) store.close();
  }
}

function summaryOf({ schemas, files }: Manifest): string {
  const rows = Object.values(schemas)
    .flatMap(({ tables }) => tables)
    .reduce((sum, table) => sum + table.rows, 0);
  const { count, bytes } = Object.values(files).reduce((sum, each) => ({
    count: sum.count + each.count,
    bytes: sum.bytes + each.bytes,
  }));
  return `${rows} rows and ${count} files (${(bytes / 1e6).toFixed(1)} MB)`;
}
