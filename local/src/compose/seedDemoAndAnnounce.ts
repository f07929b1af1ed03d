import { resolve } from 'node:path';
import { readConfig } from '@gradeway/shared/config/readConfig';
import { port } from '@gradeway/shared/config/settingKinds';
import { timeZoneLine } from '../announceReady.ts';
import { settings } from '../config.ts';
import { loadDemoSchool } from '../demoSchool.ts';
import { readSecrets } from '../secrets.ts';

// The task `welcome` of docker-compose.yml, which starts when the gateway is ready.

const config = readConfig(
  { ...settings, jaegerPort: port('JAEGER_PORT', { default: '16686', about: 'The port of Jaeger' }) },
  process.env,
);
const directory = resolve(config.dataDirectory);
const secrets = await readSecrets(directory, config);
const print = (line: string) => process.stdout.write(`${line}\n`);
const demoAccounts = config.demoData
  ? await loadDemoSchool({ baseUrl: 'http://gateway:8080', directory, secrets, print })
  : [];
const baseUrl = `http://127.0.0.1:${config.port}`;

// Without passwords, because Docker stores the output of containers in a log.
print(`
Gradeway is ready. Open this address in a browser: ${baseUrl}

  API reference   ${baseUrl}/docs
  traces          http://127.0.0.1:${config.jaegerPort} (Jaeger)
  accounts        docker compose run --rm accounts
                  the administrator${demoAccounts.length > 0 ? ' and the accounts of the demo school' : ''}, with passwords
  logs            docker compose logs -f gateway
  stop            docker compose down (keeps the data; -v deletes it)

${timeZoneLine(config.timeZone)}
`);
