import { chown, mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readConfig } from '@gradeway/shared/config/readConfig';
import { codeDeliverySettings, settings } from '../config.ts';
import { readSecrets } from '../secrets.ts';
import { type Container, containerAddresses, containerSecrets } from './containerSecrets.ts';

// The task `secrets` of docker-compose.yml. It runs as root to change the owner of files.

const nodeUser = 1000;

// Checked in the first task, so that `docker compose up` ends with this line instead of a service that keeps
// restarting.
const { codesByMail, otpToLog } = readConfig(codeDeliverySettings, process.env);
if (!codesByMail && !otpToLog) {
  process.stderr.write(
    'Gradeway cannot start: set SMTP_URL to a mail server for login codes, or OTP_TO_LOG=1 to write them to the log\n',
  );
  process.exit(1);
}

const config = readConfig(settings, process.env);
const directory = resolve(config.dataDirectory);
const secrets = await readSecrets(directory, config);
// The other tasks of this image run as this user.
await chown(directory, nodeUser, nodeUser);
await chown(join(directory, 'secrets.json'), nodeUser, nodeUser);

for (const [container, files] of Object.entries(containerSecrets(secrets, containerAddresses)))
  for (const [name, content] of Object.entries(files)) await write(container as Container, name, content);

async function write(container: Container, name: string, content: string): Promise<void> {
  const folder = join(directory, '..', container);
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  // The user ids in the images of PostgreSQL and RabbitMQ are unknown. No other container mounts their volumes.
  const isThirdParty = container === 'postgres' || container === 'rabbitmq';
  await writeFile(`${path}.new`, content, { mode: isThirdParty ? 0o444 : 0o400 });
  if (!isThirdParty) await chown(`${path}.new`, nodeUser, nodeUser);
  await rename(`${path}.new`, path);
}
