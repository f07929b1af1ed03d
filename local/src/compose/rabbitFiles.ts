import { createHash, createHmac } from 'node:crypto';
import {
  type BrokerClient,
  brokerClients,
  rabbitDefinitions,
  rabbitUserOf,
} from '@gradeway/shared/events/rabbitPermissions';
import type { Secrets } from '../secrets.ts';

/** The password of a process's RabbitMQ user, derived from a secret that no process has. */
const passwordOf = (client: BrokerClient, { rabbitmq }: Secrets): string =>
  createHmac('sha256', rabbitmq)
    .update(`user ${rabbitUserOf(client)}`)
    .digest('base64url');

/** The URL with which a process connects to RabbitMQ at `host:port`. */
export const brokerUrl = (client: BrokerClient, secrets: Secrets, address: string): string =>
  `amqp://${rabbitUserOf(client)}:${passwordOf(client, secrets)}@${address}`;

/** RabbitMQ's files. On each start it imports the users of the processes, their permissions and all queues. */
export const rabbitFiles = (secrets: Secrets): Record<string, string> => ({
  'rabbitmq.conf': `${[
    'load_definitions = /secrets/definitions.json',
    'log.console = true',
    'log.console.level = warning',
  ].join('\n')}\n`,
  'definitions.json': JSON.stringify({
    users: brokerClients.map((client) => ({
      name: rabbitUserOf(client),
      password_hash: hashOf(passwordOf(client, secrets)),
      hashing_algorithm: 'rabbit_password_hashing_sha256',
      tags: [],
    })),
    ...rabbitDefinitions(),
  }),
});

// RabbitMQ's format: four bytes of salt, then the hash. The salt is derived from the password, so that the file changes
// only with the password. A random salt would add nothing, because the passwords are long and random.
function hashOf(password: string): string {
  const salt = createHash('sha256').update(password).digest().subarray(0, 4);
  const hash = createHash('sha256').update(salt).update(password).digest();
  return Buffer.concat([salt, hash]).toString('base64');
}
