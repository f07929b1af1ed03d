import type { ConfirmChannel } from 'amqplib';

interface Message {
  messageId: string;
  headers: Record<string, unknown>;
  /** Nowhere to deliver it is a failure. */
  mustRoute: boolean;
}

// Under a memory alarm RabbitMQ simply never confirms.
const confirmTimeoutMs = 5_000;

/** Publishes on a confirm channel; each message is a promise that the broker's confirm resolves. */
export class ConfirmedPublisher {
  readonly #channel: ConfirmChannel;
  readonly #returned = new Set<string>();
  #writable: Promise<void> | undefined;

  constructor(channel: ConfirmChannel) {
    this.#channel = channel;
    // An unroutable message is returned first and then confirmed.
    channel.on('return', (message) => this.#returned.add(message.properties.messageId));
  }

  async publish(exchange: string, routingKey: string, content: object, message: Message): Promise<void> {
    await this.#writable;
    const body = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error('the broker did not confirm in time')),
        confirmTimeoutMs,
      );
      const settle = (error: unknown) => {
        clearTimeout(timer);
        const unroutable = this.#returned.delete(message.messageId) && message.mustRoute;
        if (error) reject(error);
        else if (unroutable) reject(new Error(`no queue takes ${routingKey}`));
        else resolve();
      };
      const properties = {
        persistent: true,
        mandatory: true,
        contentType: 'application/cloudevents+json',
        messageId: message.messageId,
        headers: message.headers,
      };
      if (!this.#channel.publish(exchange, routingKey, body, properties, settle)) this.#awaitDrain();
    });
  }

  // False from publish() means buffered, not refused: the next ones wait until the socket takes more.
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
