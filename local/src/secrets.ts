import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LocalConfig } from './config.ts';
import { type Schema, schemas } from './provisionDatabase.ts';

/** The secrets of one installation: generated once, stored in its data directory, readable only by its owner. */
export interface Secrets {
  /** The password of PostgreSQL's superuser. */
  postgres: string;
  roles: Record<Schema, string>;
  /**
   * The passwords of RabbitMQ's users are derived from it if docker-compose.yml runs RabbitMQ (compose/rabbitFiles.ts).
   */
  rabbitmq: string;
  /** The keys of gRPC calls are derived from it (serviceKeys.ts). No process has it. */
  service: string;
  keyEncryption: string;
  webhookEncryption: string;
  quizFiles: string;
  homeworkFiles: string;
  /** The first administrator's email and password, as of the first start. */
  adminEmail: string;
  adminPassword: string;
  demoPassword: string;
}

const generate = (bytes = 24): string => randomBytes(bytes).toString('base64url');

/** Reads the secrets of an installation and generates the missing ones. */
export async function readSecrets(directory: string, config: LocalConfig): Promise<Secrets> {
  const path = join(directory, 'secrets.json');
  const secrets: Secrets = {
    postgres: generate(),
    roles: Object.fromEntries(schemas.map((schema) => [schema, generate()])) as Record<Schema, string>,
    rabbitmq: generate(),
    service: generate(),
    keyEncryption: generate(),
    webhookEncryption: generate(),
    quizFiles: generate(),
    homeworkFiles: generate(),
    adminEmail: config.adminEmail,
    adminPassword: config.adminPassword ?? generate(9),
    demoPassword: generate(9),
    ...(await storedSecrets(path)),
  };
  // Written under a temporary name first: a half-written file would lock the installation out of its own database.
  await writeFile(`${path}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return secrets;
}

async function storedSecrets(path: string): Promise<Partial<Secrets>> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    // An unreadable file must not be replaced: its passwords would be lost, and with them the database.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
