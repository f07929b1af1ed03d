import type { Broker, BrokerOptions, EventListener } from './broker.ts';
import { openEmbeddedBroker } from './embeddedBroker.ts';
import { PostgresListener } from './postgresListener.ts';
import { openRabbitBroker, openRabbitListener } from './rabbitBroker.ts';

/**
 * Opens the broker that a URL names: `amqp://` and `amqps://` are RabbitMQ, `postgres://` the embedded one. It
 * need not be up: what is published meanwhile fails, and what consumes begins when it is.
 */
export function openBroker(options: BrokerOptions): Promise<Broker> {
  return options.url.startsWith('amqp') ? openRabbitBroker(options) : openEmbeddedBroker(options);
}

/** For a process that publishes and consumes nothing. The broker need not be up: what is told begins when it is. */
export async function openEventListener({ url, log }: BrokerOptions): Promise<EventListener> {
  return url.startsWith('amqp') ? openRabbitListener({ url, log }) : new PostgresListener(url, log);
}
