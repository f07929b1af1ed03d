import type { Broker, BrokerOptions } from './broker.ts';
import { openEmbeddedBroker } from './embeddedBroker.ts';
import { openRabbitBroker } from './rabbitBroker.ts';

/**
 * Opens the broker that a URL names: `amqp://` and `amqps://` are RabbitMQ, `postgres://` the embedded one. It
 * need not be up: what is published meanwhile fails, and what consumes begins when it is.
 */
export function openBroker(options: BrokerOptions): Promise<Broker> {
  return options.url.startsWith('amqp') ? openRabbitBroker(options) : openEmbeddedBroker(options);
}
