import { resolve } from 'node:path';
import { readConfig } from '@gradeway/shared/config/readConfig';
import { settings } from '../config.ts';
import { provisionDatabase } from '../provisionDatabase.ts';
import { readSecrets } from '../secrets.ts';
import { adminUrl, containerAddresses, database } from './containerSecrets.ts';

// The task `provision` of docker-compose.yml.

const config = readConfig(settings, process.env);
const secrets = await readSecrets(resolve(config.dataDirectory), config);
await provisionDatabase({
  adminUrl: adminUrl(secrets, containerAddresses),
  database,
  passwords: secrets.roles,
});
