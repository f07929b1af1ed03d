import type { ConfirmChannel } from 'amqplib';
import pTimeout from 'p-timeout';

interface Message {
  messageId: string;
  headers: Record<string, unknown>;
  /** Fails when no queue is bound to the routing key. */
  mustRoute: boolean;
  priority?: number;
}

// Under a memory alarm RabbitMQ does not confirm at all.
const confirmTimeoutMs = 5_000;

// p-timeout would create the error of a message beforehand, for each message that is published, with a stack trace.
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
    // RabbitMQ first returns an unroutable message and then confirms it.
    channel.on('return', (message) => this.#returned.add(message.properties.messageId));
  }

  /**
   * Resolves when the broker has confirmed the message.
   * @throws Error when it does not confirm within five seconds, or cannot route a message with `mustRoute`
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

  // publish() returns false when the message was buffered, not rejected. Later messages wait for the socket.
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
