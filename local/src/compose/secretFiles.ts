import { schemaUrl } from '../provisionDatabase.ts';
import type { Secrets } from '../secrets.ts';

export type Reader = 'postgres' | 'rabbitmq' | 'gateway' | 'auth' | 'courses' | 'homework' | 'quiz';

/** Where PostgreSQL and RabbitMQ are, as `host:port`. */
export interface Addresses {
  postgres: string;
  rabbitmq: string;
}

/** Their addresses among the containers. */
export const at: Addresses = { postgres: 'postgres:5432', rabbitmq: 'rabbitmq:5672' };

export const database = 'gradeway';

export const adminUrl = ({ postgres }: Secrets, { postgres: address }: Addresses): string =>
  `postgres://postgres:${postgres}@${address}/postgres`;

const brokerUser = 'gradeway';

export const brokerUrl = ({ rabbitmq }: Secrets, { rabbitmq: address }: Addresses): string =>
  `amqp://${brokerUser}:${rabbitmq}@${address}`;

/** The files that each process finds in `/secrets`, and no other process: by the names of its variables. */
export function secretsOf(secrets: Secrets, at: Addresses): Record<Reader, Record<string, string>> {
  const service = (schema: 'auth' | 'courses' | 'homework' | 'quiz') => ({
    SERVICE_SECRET: secrets.service,
    DATABASE_URL: schemaUrl(adminUrl(secrets, at), database, schema, secrets.roles[schema]),
    EVENTS_URL: brokerUrl(secrets, at),
  });
  return {
    postgres: { password: secrets.postgres },
    rabbitmq: { 'rabbitmq.conf': rabbitSettings(secrets.rabbitmq) },
    gateway: { SERVICE_SECRET: secrets.service, EVENTS_URL: brokerUrl(secrets, at) },
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

// The one user there is, made on the first start: `guest` is not.
const rabbitSettings = (password: string): string =>
  `${Object.entries({
    default_user: brokerUser,
    default_pass: password,
    'log.console': 'true',
    'log.console.level': 'warning',
  })
    .map(([name, value]) => `${name} = ${value}`)
    .join('\n')}\n`;
