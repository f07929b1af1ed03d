import type { ConfirmChannel } from 'amqplib';
import pTimeout from 'p-timeout';

interface Message {
  messageId: string;
  headers: Record<string, unknown>;
  /** Publishing fails if no queue is bound to the routing key. */
  mustRoute: boolean;
  priority?: number;
}

// Under a memory alarm, RabbitMQ sends no confirms at all.
const confirmTimeoutMs = 5_000;

// Given a message, p-timeout would create the error with its stack trace up front for every published message.
const unconfirmed = () => {
  throw new Error('the broker did not confirm in time');
};

/** Publishes on a confirm channel. */
export class ConfirmedPublisher {
  readonly #channel: ConfirmChannel;
  readonly #returned = new Set<string>();
  #writable: Promise<void> | undefined;

  constructor(channel: ConfirmChannel) {
    this.#channel = channel;
    // RabbitMQ returns an unroutable message before it confirms it.
    channel.on('return', (message) => this.#returned.add(message.properties.messageId));
  }

  /**
   * Resolves once the broker has confirmed the message.
   * @throws Error if it is not confirmed within five seconds, or if a message with `mustRoute` cannot be routed
   */
  async publish(exchange: string, routingKey: string, content: object, message: Message): Promise<void> {
    await this.#writable;
    const body = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    const properties = {
      persistent: true,
      mandatory: true,
      contentType: 'application/cloudevents+json',
      messageId: message.messageId,
      headers: message.headers,
      priority: message.priority,
    };
    const confirmed = new Promise<void>((resolve, reject) => {
      const settle = (error: unknown) => {
        const unroutable = this.#returned.delete(message.messageId) && message.mustRoute;
        if (error) reject(error);
        else if (unroutable) reject(new Error(`no queue is bound to ${routingKey}`));
        else resolve();
      };
      if (!this.#channel.publish(exchange, routingKey, body, properties, settle)) this.#awaitDrain();
    });
    await pTimeout(confirmed, { milliseconds: confirmTimeoutMs, fallback: unconfirmed });
  }

  // publish() returns false if the message was buffered; it was not rejected. Later messages wait for the socket.
  #awaitDrain(): void {
    this.#writable ??= new Promise<void>((resolve) => {
      const done = () => {
        this.#writable = undefined;
        resolve();
      };
      this.#channel.once('drain', done);
      this.#channel.once('close', done);
    });
  }
}
