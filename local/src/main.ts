import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '@gradeway/shared/config/readConfig';
import { announceReady } from './announceReady.ts';
import { connectionErrorOf } from './brokerConnection.ts';
import { settings } from './config.ts';
import { createDirectory } from './createDirectory.ts';
import { loadDemoSchool } from './demoSchool.ts';
import { lockDataDirectory } from './lockDataDirectory.ts';
import { openDatabase } from './openDatabase.ts';
import { choosePorts } from './ports.ts';
import { folderOf, type Installation, processNames } from './processes.ts';
import { provisionDatabase } from './provisionDatabase.ts';
import { readSecrets } from './secrets.ts';
import { serviceEnvironment } from './serviceEnvironment.ts';
import { type Supervised, spawnNode, supervise } from './supervise.ts';
import { waitUntilReady } from './waitUntilReady.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);
const running: Supervised[] = [];
let stopping: Promise<void> | undefined;

// Stops in reverse start order. A second Ctrl-C has no effect.
function stop(code: number): Promise<void> {
  stopping ??= (async () => {
    if (code === 0) print('Stopping…');
    for (const each of running.toReversed()) await each.stop();
    process.exit(code);
  })();
  return stopping;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));

async function start(): Promise<void> {
  const config = readConfig(settings, process.env);
  const directory = resolve(config.dataDirectory);
  const [runDirectory, logDirectory] = [join(directory, 'run'), join(directory, 'logs')];
  for (const each of [runDirectory, logDirectory]) await createDirectory(each);
  await lockDataDirectory(directory);
  const ports = await choosePorts(config.port);
  const secrets = await readSecrets(directory, config);

  const { adminUrl, database, server } = await openDatabase({
    config,
    directory,
    runDirectory,
    secrets,
    print,
  });
  if (server) running.push(server);
  await provisionDatabase({ adminUrl, database, passwords: secrets.roles });

  print('Starting the services…');
  const installation: Installation = { config, directory, secrets, ports, adminUrl, database };
  for (const name of processNames) {
    const script = fileURLToPath(new URL(`../../${folderOf(name)}/dist/main.js`, import.meta.url));
    const logFile = join(logDirectory, `${name}.log`);
    const env = serviceEnvironment(name, installation);
    const service = await supervise({
      name,
      runDirectory,
      ports: ports[name],
      start: async () => spawnNode({ script, env, logFile }),
      print,
    });
    running.push(service);
  }

  const baseUrl = `http://127.0.0.1:${config.port}`;
  const isMisconfigured = () => running.some((each) => each.isMisconfigured);
  await waitUntilReady({ baseUrl, logDirectory, isMisconfigured });
  const demoAccounts = config.demoData ? await loadDemoSchool({ baseUrl, directory, secrets, print }) : [];
  const brokerError = config.eventsUrl && (await connectionErrorOf(config.eventsUrl));
  const { timeZone } = config;
  announceReady({ baseUrl, secrets, demoAccounts, directory, timeZone, brokerError, print });
}

try {
  await start();
} catch (error) {
  process.stderr.write(`Gradeway cannot start: ${(error as Error).message}\n`);
  await stop(1);
}
