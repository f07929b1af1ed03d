import {
  type ConsumerName,
  consumers,
  type EventType,
  listeners,
  publications,
  subscriptions,
} from './catalog.ts';
import { exchange, queueArgumentsOf, queuesOf } from './rabbitTopology.ts';

/** The processes that connect to the broker, each as its own user. */
export const brokerClients = ['gateway', 'auth', 'courses', 'homework', 'quiz'] as const;

export type BrokerClient = (typeof brokerClients)[number];

/** The name of a process's user in RabbitMQ. */
export const rabbitUserOf = (client: BrokerClient): string => `gradeway_${client}`;

const vhost = '/';

/**
 * RabbitMQ definitions to import: exchanges, queues and bindings, and the permissions of each process's user. A process
 * may publish its own events, and configure, read and write its own queues. It can neither read nor delete the queues
 * of others, nor publish to them. Excludes the users themselves and their passwords.
 */
export function rabbitDefinitions() {
  const durable = { vhost, durable: true, auto_delete: false };
  const binding = (source: string, queue: string, key: string) => ({
    ...{ source, vhost, destination: queue, destination_type: 'queue', routing_key: key, arguments: {} },
  });
  const exchanges = [
    { name: exchange, type: 'topic' },
    ...consumers.map((consumer) => ({ name: queuesOf(consumer).exchange, type: 'direct' })),
  ];
  return {
    vhosts: [{ name: vhost }],
    permissions: brokerClients.map((client) => ({
      user: rabbitUserOf(client),
      vhost,
      ...permissionsOf(client),
    })),
    topic_permissions: brokerClients.map((client) => ({
      ...{ user: rabbitUserOf(client), vhost, exchange, ...topicPermissionsOf(client) },
    })),
    exchanges: exchanges.map((each) => ({ ...each, ...durable, internal: false, arguments: {} })),
    queues: consumers.flatMap((consumer) =>
      Object.entries(queueArgumentsOf(consumer)).map(([name, queueArguments]) => ({
        ...{ name, ...durable, arguments: queueArguments },
      })),
    ),
    bindings: consumers.flatMap((consumer) => {
      const { exchange: own, main } = queuesOf(consumer);
      const byName = Object.keys(queueArgumentsOf(consumer)).map((name) => binding(own, name, name));
      return [...byName, ...subscriptions[consumer].map((type) => binding(exchange, main, type))];
    }),
  };
}

// RabbitMQ matches the names of exchanges and queues against regular expressions.
function permissionsOf(client: BrokerClient) {
  const queues = consumersOf(client).flatMap((consumer) => Object.keys(queueArgumentsOf(consumer)));
  // A listener's queue is exclusive to its connection, and the broker chooses its name.
  const own = [...queues.map(literal), ...(typesOf(listeners, client).length > 0 ? ['amq\\.gen-.*'] : [])];
  const publishes = typesOf(publications, client).length > 0;
  const binds = own.length > 0;
  return {
    configure: anyOf(own),
    write: anyOf([...own, ...(publishes ? [literal(exchange)] : [])]),
    read: anyOf([...own, ...(binds ? [literal(exchange)] : [])]),
  };
}

// For the exchange of all events: the types that the client may publish, and those that it may bind a queue to.
function topicPermissionsOf(client: BrokerClient) {
  const read = [
    ...consumersOf(client).flatMap((consumer) => subscriptions[consumer]),
    ...typesOf(listeners, client),
  ];
  return {
    write: anyOf(typesOf(publications, client).map(literal)),
    read: anyOf([...new Set<string>(read)].map(literal)),
  };
}

const consumersOf = (client: BrokerClient): ConsumerName[] =>
  consumers.filter((consumer) => consumer === client || consumer.startsWith(`${client}-`));

const typesOf = (table: Partial<Record<BrokerClient, readonly EventType[]>>, client: BrokerClient) =>
  table[client] ?? [];

const literal = (name: string): string => name.replaceAll('.', '\\.');

const anyOf = (patterns: readonly string[]): string =>
  patterns.length > 0 ? `^(${patterns.join('|')})$` : '^$';
