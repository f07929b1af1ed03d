import { resolve } from 'node:path';
import { readConfig } from '@gradeway/shared/config/readConfig';
import { settings } from '../config.ts';
import { type Ports, type ProcessName, processNames } from '../processes.ts';
import { readSecrets } from '../secrets.ts';
import { serviceEnvironment } from '../serviceEnvironment.ts';
import { type Addresses, adminUrl, database } from './containerSecrets.ts';
import { brokerUrl } from './rabbitFiles.ts';

// docker compose run --rm environment quiz: prints the environment variables for one process that runs on the
// developer's machine while the others run as containers. compose.override.example.yml publishes their ports.

const [name] = process.argv.slice(2);
if (!isProcessName(name)) {
  process.stderr.write(`requires the name of a process: ${processNames.join(', ')}\n`);
  process.exit(2);
}

const publishedAddresses: Addresses = { postgres: '127.0.0.1:5432', rabbitmq: '127.0.0.1:5672' };
const ports = Object.fromEntries(
  processNames.map((each, index): [ProcessName, Ports] => [
    each,
    { port: 8081 + index, grpcPort: 9081 + index, adminPort: 9461 + index },
  ]),
) as Record<ProcessName, Ports>;

const config = readConfig(settings, process.env);
const secrets = await readSecrets(resolve(config.dataDirectory), config);
const environment = serviceEnvironment(name, {
  config: { ...config, eventsUrl: brokerUrl(name, secrets, publishedAddresses.rabbitmq) },
  directory: '.data/from-source',
  secrets,
  ports,
  database,
  adminUrl: adminUrl(secrets, publishedAddresses),
});
// Listens on more than the loopback address, because the containers connect from their own network.
const lines = Object.entries({ ...environment, HOST: '0.0.0.0' })
  .filter(([variable, value]) => value !== '' && process.env[variable] !== value)
  .map(([variable, value]) => `${variable}=${value}`);
process.stdout.write(`${lines.join('\n')}\n`);

function isProcessName(value: string | undefined): value is ProcessName {
  return processNames.some((each) => each === value);
}
