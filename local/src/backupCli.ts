import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@gradeway/shared/config/readConfig';
import { type LocalConfig, settings } from './config.ts';
import { superuserUrl } from './embeddedPostgres.ts';
import { lockDataDirectory } from './lockDataDirectory.ts';
import { defaultDatabase, openDatabase } from './openDatabase.ts';
import { provisionDatabase } from './provisionDatabase.ts';
import { readSecrets } from './secrets.ts';
import { erasureListIn } from './serviceEnvironment.ts';

const usage: Record<string, string> = {
  backup: `npm run backup -- DIR: backs up the installation in DATA_DIR (.data) into DIR, which must be empty or absent

The installation may be running or stopped. The backup contains the database, all files and the secrets of the installation:
protect it like the installation itself. Every file is compared with its SHA-256.`,
  restore: `npm run restore -- DIR: restores the backup in DIR into the empty DATA_DIR (.data); npm start then runs it

Afterwards receipts, grades, files and passwords match the backup. Everyone has to log in again. People who were erased
since the backup are erased again if the list of erasures still exists (docs/backup.md).`,
};

// This file contains the path of the erasure list of the backed-up installation.
const erasureListFile = 'erasure-list.txt';

const [command = '', directory, ...rest] = process.argv.slice(2);
const print = (line: string) => process.stdout.write(`${line}\n`);

if ([directory, ...rest].some((each) => each === '--help' || each === '-h')) {
  print(usage[command] ?? Object.values(usage).join('\n\n'));
  process.exit(0);
}
if (!usage[command] || !directory || directory.startsWith('-') || rest.length > 0) {
  process.stderr.write(`${usage[command] ?? Object.values(usage).join('\n\n')}\n`);
  process.exit(2);
}
try {
  const config = readConfig(settings, process.env);
  process.exit(await (command === 'backup' ? backUp(config, directory) : restore(config, directory)));
} catch (error) {
  process.stderr.write(`${command}: ${(error as Error).message}\n`);
  process.exit(1);
}

async function backUp(config: LocalConfig, target: string): Promise<number> {
  const data = resolve(config.dataDirectory);
  await readFile(join(data, 'secrets.json')).catch(() => {
    throw new Error(`there is no installation in ${data}: set DATA_DIR`);
  });
  const { url, stop } = (await findRunningDatabase(config, data)) ?? (await startDatabase(config, data));
  try {
    const code = runBackup('backup', target, url, data);
    // Without the secrets, the signing keys and webhook secrets could not be decrypted.
    if (code === 0 || code === 3) {
      await writeFile(join(target, erasureListFile), resolve(config.erasureList ?? erasureListIn(data)));
      await copyFile(join(data, 'secrets.json'), join(target, 'secrets.json'));
    }
    return code;
  } finally {
    await stop();
  }
}

async function restore(config: LocalConfig, source: string): Promise<number> {
  const data = resolve(config.dataDirectory);
  const secretsOfBackup = join(source, 'secrets.json');
  await readFile(secretsOfBackup).catch(() => {
    throw new Error(`${source} contains no backup made by npm run backup: secrets.json cannot be read`);
  });
  await mkdir(data, { recursive: true });
  const secretsHere = await readFile(join(data, 'secrets.json'), 'utf8').catch(() => undefined);
  // Identical secrets mean that a failed restore is being repeated.
  if (secretsHere !== undefined && secretsHere !== (await readFile(secretsOfBackup, 'utf8')))
    throw new Error(`${data} already contains another installation: set DATA_DIR to an empty directory`);
  await copyFile(secretsOfBackup, join(data, 'secrets.json'));
  const { url, stop } = await startDatabase(config, data);
  try {
    const list =
      config.erasureList ?? (await readFile(join(source, erasureListFile), 'utf8').catch(() => ''));
    const code = runBackup('restore', source, url, data, { ERASURE_LIST: list });
    // The restored installation appends to this list.
    if (code === 0 && existsSync(list) && resolve(list) !== erasureListIn(data))
      await copyFile(list, erasureListIn(data));
    if (code === 0) print('npm start runs the restored installation.');
    return code;
  } finally {
    await stop();
  }
}

interface RunningDatabase {
  /** URL of the superuser, in Gradeway's database. */
  url: string;
  stop(): Promise<void>;
}

async function findRunningDatabase(config: LocalConfig, data: string): Promise<RunningDatabase | undefined> {
  const stop = async () => {};
  if (config.databaseUrl) {
    const url = new URL(config.databaseUrl);
    url.pathname = `/${url.pathname.slice(1) || defaultDatabase}`;
    return { url: url.href, stop };
  }
  const text = await readFile(join(data, 'run', 'postgres.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { port } = JSON.parse(text) as { port: number };
  if (!(await accepts(port))) return undefined;
  const { postgres: password } = await readSecrets(data, config);
  return { url: superuserUrl({ port, password }, defaultDatabase), stop };
}

async function startDatabase(config: LocalConfig, data: string): Promise<RunningDatabase> {
  const [runDirectory, logDirectory] = [join(data, 'run'), join(data, 'logs')];
  await mkdir(runDirectory, { recursive: true });
  await mkdir(logDirectory, { recursive: true });
  await lockDataDirectory(data);
  const secrets = await readSecrets(data, config);
  const { adminUrl, database, server } = await openDatabase({
    config,
    directory: data,
    runDirectory,
    secrets,
    print,
  });
  await provisionDatabase({ adminUrl, database, passwords: secrets.roles });
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return { url: url.href, stop: async () => server?.stop() };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 });
    const finish = (isOpen: boolean) => {
      socket.destroy();
      done(isOpen);
    };
    socket.once('connect', () => finish(true));
    for (const event of ['error', 'timeout']) socket.once(event, () => finish(false));
  });
}

function runBackup(
  name: string,
  target: string,
  url: string,
  data: string,
  env: NodeJS.ProcessEnv = {},
): number {
  const main = fileURLToPath(new URL('../../backup/dist/main.js', import.meta.url));
  const { status } = spawnSync(process.execPath, [main, name, target], {
    stdio: 'inherit',
    env: {
      ...process.env,
      BACKUP_DATABASE_URL: url,
      HOMEWORK_FILES_DIR: join(data, 'files', 'homework'),
      QUIZ_FILES_DIR: join(data, 'files', 'quiz'),
      ...env,
    },
  });
  return status ?? 1;
}
