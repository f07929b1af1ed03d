import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Schema, schemas } from './provisionDatabase.ts';
import type { LocalConfig } from './settings.ts';

/** What only this installation knows; made once, kept in its data directory, readable by its owner alone. */
export interface Secrets {
  postgres: string;
  roles: Record<Schema, string>;
  /** Of its one user, where RabbitMQ is one of ours (docker-compose.yml). */
  rabbitmq: string;
  service: string;
  keyEncryption: string;
  webhookEncryption: string;
  quizFiles: string;
  homeworkFiles: string;
  /** The first administrator, as it was made. */
  adminEmail: string;
  adminPassword: string;
  demoPassword: string;
}

const make = (bytes = 24): string => randomBytes(bytes).toString('base64url');

/** Reads the installation's secrets, making them the first time. */
export async function readSecrets(directory: string, config: LocalConfig): Promise<Secrets> {
  const path = join(directory, 'secrets.json');
  const kept = await readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Partial<Secrets>,
    () => ({}),
  );
  const secrets: Secrets = {
    postgres: make(),
    roles: Object.fromEntries(schemas.map((schema) => [schema, make()])) as Record<Schema, string>,
    rabbitmq: make(),
    service: make(),
    keyEncryption: make(),
    webhookEncryption: make(),
    quizFiles: make(),
    homeworkFiles: make(),
    adminEmail: config.adminEmail,
    adminPassword: config.adminPassword ?? make(9),
    demoPassword: make(9),
    ...kept,
  };
  // Under another name first: a half-written file would lock the installation out of its own database.
  await writeFile(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return secrets;
}
