import { chown, mkdir, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readSettings } from '@gradeway/shared/config/readConfig';
import { readSecrets } from '../secrets.ts';
import { settings } from '../settings.ts';
import { at, type Reader, secretsOf } from './secretFiles.ts';

// Run by docker-compose.yml, as root, which alone can give files away.

const node = 1000;

const config = readSettings(settings, process.env);
const directory = resolve(config.dataDirectory);
const secrets = await readSecrets(directory, config);
// For the other tasks of this image, which run as its user.
await chown(directory, node, node);
await chown(join(directory, 'secrets.json'), node, node);

for (const [reader, files] of Object.entries(secretsOf(secrets, at)))
  for (const [name, content] of Object.entries(files)) await write(reader as Reader, name, content);

async function write(reader: Reader, name: string, content: string): Promise<void> {
  const folder = join(directory, '..', reader);
  await mkdir(folder, { recursive: true });
  const path = join(folder, name);
  // The users of other people's images have numbers that we do not know; nobody else mounts their volumes.
  const foreign = reader === 'postgres' || reader === 'rabbitmq';
  await writeFile(`${path}.new`, content, { mode: foreign ? 0o444 : 0o400 });
  if (!foreign) await chown(`${path}.new`, node, node);
  await rename(`${path}.new`, path);
}
