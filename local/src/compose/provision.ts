import { resolve } from 'node:path';
import { readSettings } from '@gradeway/shared/config/readConfig';
import { provisionDatabase } from '../provisionDatabase.ts';
import { readSecrets } from '../secrets.ts';
import { settings } from '../settings.ts';
import { adminUrl, at, database } from './secretFiles.ts';

// Run by docker-compose.yml.

const config = readSettings(settings, process.env);
const secrets = await readSecrets(resolve(config.dataDirectory), config);
await provisionDatabase({ adminUrl: adminUrl(secrets, at), database, passwords: secrets.roles });
