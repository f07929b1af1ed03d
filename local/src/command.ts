import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSettings } from '@gradeway/shared/config/readConfig';
import { superuserUrl } from './embeddedPostgres.ts';
import { environmentOf, type Installation, type Ports, type ProcessName, processNames } from './processes.ts';
import { readSecrets } from './secrets.ts';
import { settings } from './settings.ts';

const help: Record<string, string> = {
  rebuildProjections:
    'npm run projections:rebuild [-- SERVICE …]: fetches every name that a service keeps anew, and tells every grade again',
  replayDeadLetters:
    'npm run deadletters:replay [-- SERVICE …]: gives the events that failed for good to their consumer once more',
};

const [command = '', ...parameters] = process.argv.slice(2);
const line = help[command];
if (!line || parameters.includes('--help') || parameters.includes('-h')) {
  process.stdout.write(
    `${line ?? Object.values(help).join('\n')}\n\nThe installation is that of DATA_DIR (.data); it must be running.\n`,
  );
  process.exit(line ? 0 : 2);
}

const services = processNames.filter((name) => existsSync(scriptOf(name)));
const wanted = parameters.length > 0 ? parameters : services;
const unknown = wanted.filter((name) => !services.includes(name as ProcessName));
if (unknown.length > 0) {
  process.stderr.write(
    `no service with this command is called ${unknown.join(', ')}: there are ${services.join(', ')}\n`,
  );
  process.exit(2);
}

try {
  const installation = await readInstallation();
  let failed = 0;
  for (const name of wanted as ProcessName[]) {
    const { status } = spawnSync(process.execPath, [scriptOf(name)], {
      env: environmentOf(name, installation),
      stdio: 'inherit',
    });
    if (status !== 0) failed += 1;
  }
  process.exit(failed === 0 ? 0 : 1);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}

function scriptOf(name: ProcessName): string {
  return fileURLToPath(new URL(`../../services/${name}/dist/${command}.js`, import.meta.url));
}

async function readInstallation(): Promise<Installation> {
  const config = readSettings(settings, process.env);
  const directory = resolve(config.dataDirectory);
  const read = async (name: string): Promise<Ports> => {
    const text = await readFile(join(directory, 'run', `${name}.json`), 'utf8').catch(() => {
      throw new Error(`Gradeway does not run in ${directory}: start it with npm start, or set DATA_DIR`);
    });
    return JSON.parse(text);
  };
  const ports = {} as Record<ProcessName, Ports>;
  for (const name of processNames) ports[name] = await read(name);
  const secrets = await readSecrets(directory, config);
  if (config.databaseUrl) {
    const url = new URL(config.databaseUrl);
    return {
      config,
      directory,
      secrets,
      ports,
      adminUrl: config.databaseUrl,
      database: url.pathname.slice(1) || 'gradeway',
    };
  }
  const adminUrl = superuserUrl({ port: (await read('postgres')).port, password: secrets.postgres });
  return { config, directory, secrets, ports, adminUrl, database: 'gradeway' };
}
