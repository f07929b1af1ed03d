import { resolve } from 'node:path';
import { readSettings } from '@gradeway/shared/config/readConfig';
import { environmentOf, type Ports, type ProcessName, processNames } from '../processes.ts';
import { readSecrets } from '../secrets.ts';
import { settings } from '../settings.ts';
import { type Addresses, adminUrl, brokerUrl, database } from './secretFiles.ts';

// docker compose run --rm environment quiz: the environment of one process that runs on the developer's machine,
// while the others are containers whose ports compose.override.example.yml opens.

const [name] = process.argv.slice(2);
if (!isProcess(name)) {
  process.stderr.write(`which process? One of ${processNames.join(', ')}\n`);
  process.exit(2);
}

const published: Addresses = { postgres: '127.0.0.1:5432', rabbitmq: '127.0.0.1:5672' };
const ports = Object.fromEntries(
  processNames.map((each, index): [ProcessName, Ports] => [
    each,
    { port: 8081 + index, grpcPort: 9081 + index, adminPort: 9461 + index },
  ]),
) as Record<ProcessName, Ports>;

const given = readSettings(settings, process.env);
const secrets = await readSecrets(resolve(given.dataDirectory), given);
const config = { ...given, eventsUrl: brokerUrl(secrets, published) };
const environment = environmentOf(name, {
  ...{ config, directory: `.data/from-source`, secrets, ports, database },
  adminUrl: adminUrl(secrets, published),
});
// Not on the loopback alone: the containers come from their own network.
const lines = Object.entries({ ...environment, HOST: '0.0.0.0' })
  .filter(([variable, value]) => value !== '' && process.env[variable] !== value)
  .map(([variable, value]) => `${variable}=${value}`);
process.stdout.write(`${lines.join('\n')}\n`);

function isProcess(value: string | undefined): value is ProcessName {
  return processNames.some((each) => each === value);
}
