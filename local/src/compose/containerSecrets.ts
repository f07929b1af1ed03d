import { schemaUrl } from '../provisionDatabase.ts';
import type { Secrets } from '../secrets.ts';
import { serviceKeysOf } from '../serviceKeys.ts';
import { brokerUrl, rabbitFiles } from './rabbitFiles.ts';

export type Container =
  | 'postgres'
  | 'rabbitmq'
  | 'gateway'
  | 'auth'
  | 'courses'
  | 'homework'
  | 'quiz'
  | 'backup';

/** The addresses of PostgreSQL and RabbitMQ, as `host:port`. */
export interface Addresses {
  postgres: string;
  rabbitmq: string;
}

export const containerAddresses: Addresses = { postgres: 'postgres:5432', rabbitmq: 'rabbitmq:5672' };

export const database = 'gradeway';

export const adminUrl = ({ postgres }: Secrets, { postgres: address }: Addresses): string =>
  `postgres://postgres:${postgres}@${address}/postgres`;

const withDatabase = (url: string): string => url.replace(/[^/]*$/, database);

/** The files in `/secrets` of each container. Each file is named after the setting whose value it holds. */
export function containerSecrets(
  secrets: Secrets,
  addresses: Addresses,
): Record<Container, Record<string, string>> {
  const service = (schema: 'auth' | 'courses' | 'homework' | 'quiz') => ({
    SERVICE_KEYS: serviceKeysOf(schema, secrets.service),
    DATABASE_URL: schemaUrl(adminUrl(secrets, addresses), database, schema, secrets.roles[schema]),
    EVENTS_URL: brokerUrl(schema, secrets, addresses.rabbitmq),
  });
  return {
    postgres: { password: secrets.postgres },
    backup: { BACKUP_DATABASE_URL: withDatabase(adminUrl(secrets, addresses)) },
    rabbitmq: rabbitFiles(secrets),
    gateway: {
      SERVICE_KEYS: serviceKeysOf('gateway', secrets.service),
      EVENTS_URL: brokerUrl('gateway', secrets, addresses.rabbitmq),
    },
    auth: {
      ...service('auth'),
      KEY_ENCRYPTION_SECRET: secrets.keyEncryption,
      ADMIN_EMAIL: secrets.adminEmail,
      ADMIN_PASSWORD: secrets.adminPassword,
    },
    courses: { ...service('courses'), WEBHOOK_ENCRYPTION_SECRET: secrets.webhookEncryption },
    homework: { ...service('homework'), FILE_URL_SECRET: secrets.homeworkFiles },
    quiz: { ...service('quiz'), FILE_URL_SECRET: secrets.quizFiles },
  };
}
