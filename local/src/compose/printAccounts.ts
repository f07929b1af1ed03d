import { resolve } from 'node:path';
import { readConfig } from '@gradeway/shared/config/readConfig';
import { accountTable } from '../announceReady.ts';
import { settings } from '../config.ts';
import { demoAccounts } from '../demoSchool.ts';
import { readSecrets } from '../secrets.ts';

// docker compose run --rm accounts

const config = readConfig(settings, process.env);
const directory = resolve(config.dataDirectory);
const secrets = await readSecrets(directory, config);
process.stdout.write(`${accountTable(secrets, await demoAccounts(directory, secrets))}\n`);
