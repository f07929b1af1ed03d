import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@gradeway/shared/config/readConfig';
import { settings } from './config.ts';
import { superuserUrl } from './embeddedPostgres.ts';
import { defaultDatabase } from './openDatabase.ts';
import { folderOf, type Installation, type Ports, type ProcessName, processNames } from './processes.ts';
import { readSecrets } from './secrets.ts';
import { serviceEnvironment } from './serviceEnvironment.ts';

const commands: Record<string, { usage: string; services: ProcessName[] }> = {
  countExpired: {
    usage:
      'npm run retention:count [-- SERVICE …]: counts the files and audit entries that are past their retention, and deletes nothing',
    services: ['auth', 'homework', 'quiz'],
  },
  rebuildProjections: {
    usage:
      'npm run projections:rebuild [-- SERVICE …]: fetches all projected names again and republishes all grades',
    services: ['courses', 'homework', 'quiz'],
  },
  replayDeadLetters: {
    usage: 'npm run deadletters:replay [-- SERVICE …]: redelivers the dead letters to their consumers',
    services: ['auth', 'courses', 'homework', 'quiz'],
  },
};

const [name = '', ...parameters] = process.argv.slice(2);
const command = commands[name];
if (!command || parameters.includes('--help') || parameters.includes('-h')) {
  const usage =
    command?.usage ??
    Object.values(commands)
      .map((each) => each.usage)
      .join('\n');
  process.stdout.write(
    `${usage}\n\nIt works on the installation in DATA_DIR (.data), which must be running.\n`,
  );
  process.exit(command ? 0 : 2);
}

const { services } = command;
const selected = parameters.length > 0 ? parameters : services;
const unknown = selected.filter((each) => !services.includes(each as ProcessName));
if (unknown.length > 0) {
  process.stderr.write(`no such service: ${unknown.join(', ')}; ${name} exists in ${services.join(', ')}\n`);
  process.exit(2);
}

try {
  const installation = await readInstallation();
  let failed = 0;
  for (const service of selected as ProcessName[]) {
    const script = fileURLToPath(new URL(`../../${folderOf(service)}/dist/command.js`, import.meta.url));
    const { status } = spawnSync(process.execPath, [script, name], {
      env: serviceEnvironment(service, installation),
      stdio: 'inherit',
    });
    if (status !== 0) failed += 1;
  }
  process.exit(failed === 0 ? 0 : 1);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}

async function readInstallation(): Promise<Installation> {
  const config = readConfig(settings, process.env);
  const directory = resolve(config.dataDirectory);
  const readPorts = async (name: string): Promise<Ports> => {
    const text = await readFile(join(directory, 'run', `${name}.json`), 'utf8').catch(() => {
      throw new Error(`Gradeway is not running in ${directory}: start it with npm start, or set DATA_DIR`);
    });
    return JSON.parse(text);
  };
  const ports = {} as Record<ProcessName, Ports>;
  for (const name of processNames) ports[name] = await readPorts(name);
  const secrets = await readSecrets(directory, config);
  const common = { config, directory, secrets, ports };
  if (config.databaseUrl) {
    const database = new URL(config.databaseUrl).pathname.slice(1) || defaultDatabase;
    return { ...common, adminUrl: config.databaseUrl, database };
  }
  const { port } = await readPorts('postgres');
  const adminUrl = superuserUrl({ port, password: secrets.postgres });
  return { ...common, adminUrl, database: defaultDatabase };
}
