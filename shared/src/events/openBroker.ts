import type { Broker, BrokerOptions, EventListener } from './broker.ts';

/*
 * Each broker is imported only if its URL is used: RabbitMQ needs amqplib, the embedded broker needs pg-boss and pg.
 */

/**
 * Opens the broker for a URL: `amqp://` and `amqps://` for RabbitMQ, `postgres://` for the embedded broker. RabbitMQ
 * does not have to be reachable yet: until it is, publishing fails and consumers receive nothing.
 */
export async function openBroker(options: BrokerOptions): Promise<Broker> {
  if (options.url.startsWith('amqp')) {
    const { openRabbitBroker } = await import('./rabbitBroker.ts');
    return openRabbitBroker(options);
  }
  const { openEmbeddedBroker } = await import('./embeddedBroker.ts');
  return openEmbeddedBroker(options);
}

/**
 * Opens a listener for a process that neither publishes nor consumes. The broker does not have to be reachable yet:
 * notifications begin when it is.
 */
export async function openEventListener({ url, log }: BrokerOptions): Promise<EventListener> {
  if (url.startsWith('amqp')) {
    const { openRabbitListener } = await import('./rabbitBroker.ts');
    return openRabbitListener({ url, log });
  }
  const { PostgresListener } = await import('./postgresListener.ts');
  return new PostgresListener(url, log);
}
