import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSettings } from '@gradeway/shared/config/readConfig';
import { announce } from './announce.ts';
import { loadDemoSchool } from './demoSchool.ts';
import { holdDirectory } from './holdDirectory.ts';
import { choosePorts } from './ports.ts';
import { environmentOf, type Installation, processNames } from './processes.ts';
import { provisionDatabase } from './provisionDatabase.ts';
import { readSecrets } from './secrets.ts';
import { settings } from './settings.ts';
import { startDatabase } from './startDatabase.ts';
import { type Supervised, startNode, supervise } from './supervise.ts';
import { waitUntilReady } from './waitUntilReady.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const running: Supervised[] = [];
let stopping: Promise<void> | undefined;

// Last started, first stopped; a second Ctrl-C while that goes on changes nothing.
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    if (code === 0) say('Stopping…');
    for (const each of running.toReversed()) await each.stop();
    process.exit(code);
  })();
  return stopping;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

async function start(): Promise<void> {
  const config = readSettings(settings, process.env);
  const directory = resolve(config.dataDirectory);
  const [runDirectory, logDirectory] = [join(directory, 'run'), join(directory, 'logs')];
  await mkdir(runDirectory, { recursive: true });
  await mkdir(logDirectory, { recursive: true });
  await holdDirectory(directory);
  const ports = await choosePorts(config.port);
  const secrets = await readSecrets(directory, config);

  const { adminUrl, database, supervised } = await startDatabase({
    config,
    directory,
    runDirectory,
    secrets,
    say,
  });
  if (supervised) running.push(supervised);
  await provisionDatabase({ adminUrl, database, passwords: secrets.roles });

  say('Starting the services…');
  const installation: Installation = { config, directory, secrets, ports, adminUrl, database };
  for (const name of processNames) {
    const folder = name === 'gateway' ? 'gateway' : `services/${name}`;
    const script = fileURLToPath(new URL(`../../${folder}/dist/main.js`, import.meta.url));
    const logFile = join(logDirectory, `${name}.log`);
    const env = environmentOf(name, installation);
    const options = {
      name,
      runDirectory,
      ports: ports[name],
      say,
      start: async () => startNode({ script, env, logFile }),
    };
    running.push(await supervise(options));
  }

  const baseUrl = `http://127.0.0.1:${config.port}`;
  await waitUntilReady(baseUrl, logDirectory);
  const demo = config.demoData ? await loadDemoSchool({ baseUrl, directory, secrets, say }) : [];
  announce({ baseUrl, secrets, demo, directory, say });
}

try {
  await start();
} catch (error) {
  process.stderr.write(`Gradeway cannot start: ${(error as Error).message}\n`);
  await stop(1);
}
