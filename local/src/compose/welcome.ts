import { resolve } from 'node:path';
import { port, readSettings } from '@gradeway/shared/config/readConfig';
import { loadDemoSchool } from '../demoSchool.ts';
import { readSecrets } from '../secrets.ts';
import { settings } from '../settings.ts';

// Run by docker-compose.yml, once the gateway is ready.

const config = readSettings(
  { ...settings, jaegerPort: port('JAEGER_PORT', { default: '16686', about: 'Where Jaeger is seen' }) },
  process.env,
);
const directory = resolve(config.dataDirectory);
const secrets = await readSecrets(directory, config);
const say = (line: string) => process.stdout.write(`${line}\n`);
const demo = config.demoData
  ? await loadDemoSchool({ baseUrl: 'http://gateway:8080', directory, secrets, say })
  : [];
const baseUrl = `http://127.0.0.1:${config.port}`;

// No password: what a container prints is kept in its log.
say(`
Gradeway is ready: ${baseUrl}

  the interface   ${baseUrl}/docs
  traces          http://127.0.0.1:${config.jaegerPort} (Jaeger)
  the accounts    docker compose run --rm accounts
                  the administrator's${demo.length > 0 ? ' and those of the demonstration school' : ''}, with their passwords
  logs            docker compose logs -f gateway
  stop            docker compose down (the data stays; with -v it goes too)
`);
