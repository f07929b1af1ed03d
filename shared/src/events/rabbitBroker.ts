import type { ChannelModel, ConfirmChannel } from 'amqplib';
import type { Logger } from '../process/logger.ts';
import { traceProcess, traceSend } from '../tracing/messageSpans.ts';
import type {
  Broker,
  BrokerOptions,
  EventListener,
  MessageChanges,
  Outcome,
  PublishOptions,
  QueueDepths,
} from './broker.ts';
import { type ConsumerName, type EventType, hasConsumer } from './catalog.ts';
import type { Envelope } from './cloudEvent.ts';
import { ConfirmedPublisher } from './confirmedPublisher.ts';
import { connectRecovering } from './rabbitConnection.ts';
import { RabbitConsumer } from './rabbitConsumer.ts';
import { replayDeadLetters, rewriteDeadLetters } from './rabbitDeadLetters.ts';
import { type RabbitListener, startListening } from './rabbitListener.ts';
import {
  declareConsumer,
  declareExchange,
  declareTopology,
  defaultRetryDelayMs,
  destination,
  exchange,
  queuesOf,
} from './rabbitTopology.ts';

// Quorum queues have two priorities since RabbitMQ 4: high from 5 up. Earlier versions deliver in order of arrival.
const highPriority = 5;

type Declare = (model: ChannelModel) => Promise<void>;

/**
 * Opens RabbitMQ, version 3.10 or later. The connection is reopened automatically (amqplib's recovery). Channels,
 * topology and consumers are set up again on each new connection, and also when the broker closes just a channel.
 */
export async function openRabbitBroker(options: BrokerOptions): Promise<Broker> {
  const retryDelayMs = options.retryDelayMs ?? defaultRetryDelayMs;
  const broker = new RabbitBroker(options.log, (model) => declareTopology(model, retryDelayMs), retryDelayMs);
  await broker.connect(options.url);
  return broker;
}

/** Opens RabbitMQ for listening only. Its user needs no permission on the queues of consumers. */
export async function openRabbitListener({ url, log }: BrokerOptions): Promise<EventListener> {
  const broker = new RabbitBroker(log, declareExchange, 0);
  await broker.connect(url);
  return broker;
}

class RabbitBroker implements Broker {
  readonly #log: Logger;
  readonly #declare: Declare;
  readonly #retryDelayMs: number;
  readonly #consumers: RabbitConsumer[] = [];
  readonly #listeners: RabbitListener[] = [];
  #connection: Awaited<ReturnType<typeof connectRecovering>> | undefined;
  #model: ChannelModel | undefined;
  #publisher: ConfirmedPublisher | undefined;
  #closing = false;

  constructor(log: Logger, declare: Declare, retryDelayMs: number) {
    this.#log = log;
    this.#declare = declare;
    this.#retryDelayMs = retryDelayMs;
  }

  async connect(url: string): Promise<void> {
    this.#connection = await connectRecovering(url, (model) => this.#setUp(model));
    this.#connection.on('error', (error) => this.#log.warn({ err: error }, 'broker connection failed'));
    this.#connection.on('disconnect', (error) => {
      this.#model = undefined;
      this.#publisher = undefined;
      if (!this.#closing) this.#log.warn({ err: error }, 'broker disconnected');
    });
    this.#connection.on('connect', () => this.#log.info('connected to the broker'));
  }

  async #setUp(model: ChannelModel): Promise<void> {
    // Must come first: if the connection fails during setup, an unhandled error event would end the process.
    model.on('error', (error) => this.#log.warn({ err: error }, 'broker connection failed'));
    // Own queues first, because a user may not configure the others: if all are lost, each consumer restores its own.
    for (const { name } of this.#consumers) await declareConsumer(model, name, this.#retryDelayMs);
    await this.#declare(model);
    const channel = await this.#openChannel(model);
    // Consumers and listeners added from now on use the existing model and start on their own.
    const [consumers, listeners] = [[...this.#consumers], [...this.#listeners]];
    this.#model = model;
    this.#publisher = new ConfirmedPublisher(channel);
    for (const consumer of consumers) {
      // Repeated for consumers that were added in the meantime.
      await declareConsumer(model, consumer.name, this.#retryDelayMs);
      await consumer.start(await this.#openChannel(model));
    }
    for (const listener of listeners) await startListening(await this.#openChannel(model), listener);
  }

  async #openChannel(model: ChannelModel): Promise<ConfirmChannel> {
    const channel = await model.createConfirmChannel();
    channel.on('error', (error) => this.#log.warn({ err: error }, 'broker channel failed'));
    // amqplib recovers connections but not channels, so when the broker closes a channel, close the connection too.
    channel.on('close', () => {
      if (!this.#closing) model.close().catch(() => {});
    });
    return channel;
  }

  async publish(envelope: Envelope, { isBacklog = false }: PublishOptions = {}): Promise<void> {
    const { event } = envelope;
    // Fails before the span begins, so that the relay's attempts while the broker is disconnected create no spans.
    const publisher = this.#connectedPublisher();
    await traceSend(destination(event.type), envelope, (traceparent) =>
      publisher.publish(exchange, event.type, event, {
        messageId: event.id,
        headers: traceparent ? { traceparent } : {},
        mustRoute: hasConsumer(event.type),
        priority: isBacklog ? 0 : highPriority,
      }),
    );
  }

  #connectedPublisher(): ConfirmedPublisher {
    if (!this.#publisher) throw new Error('the broker is not connected');
    return this.#publisher;
  }

  async consume(name: ConsumerName, receive: (envelope: Envelope) => Promise<Outcome>): Promise<void> {
    const queues = queuesOf(name);
    const consumer = new RabbitConsumer({
      queues,
      receive: (envelope) =>
        traceProcess(destination(envelope.event.type, queues.main), envelope, () => receive(envelope)),
      publisher: () => this.#connectedPublisher(),
      log: this.#log,
    });
    this.#consumers.push(consumer);
    const model = this.#model;
    if (!model) return;
    await declareConsumer(model, name, this.#retryDelayMs);
    await consumer.start(await this.#openChannel(model));
  }

  async stopConsuming(): Promise<void> {
    await Promise.all(this.#consumers.splice(0).map((consumer) => consumer.stop()));
  }

  async listen(types: EventType[], wake: (type: EventType) => void): Promise<void> {
    const listener = { types, wake };
    this.#listeners.push(listener);
    if (this.#model) await startListening(await this.#openChannel(this.#model), listener);
  }

  async depths(consumer: ConsumerName): Promise<QueueDepths> {
    // #withChannel would wait for the broker to reconnect, which takes too long for a scrape.
    if (!this.#model) throw new Error('the broker is not connected');
    const { main, retry, dead } = queuesOf(consumer);
    return this.#withChannel(async (channel) => {
      const [waiting = 0, retrying = 0, deadLetters = 0] = await Promise.all(
        [main, retry, dead].map(async (queue) => (await channel.checkQueue(queue)).messageCount),
      );
      return { waiting, retrying, dead: deadLetters };
    });
  }

  readonly deadLetters = {
    count: async (consumer: ConsumerName) => (await this.depths(consumer)).dead,
    replay: (consumer: ConsumerName) =>
      this.#withChannel((channel) => replayDeadLetters(channel, () => this.#connectedPublisher(), consumer)),
    rewrite: (consumer: ConsumerName, changes: MessageChanges) => this.#rewriteDead(consumer, changes),
  };

  async *#rewriteDead(consumer: ConsumerName, changes: MessageChanges): AsyncGenerator<number> {
    const batchSize = 50;
    for (let left = (await this.depths(consumer)).dead; left > 0; left -= batchSize)
      yield await this.#withChannel((channel) => {
        const rewriting = { consumer, changes, limit: Math.min(left, batchSize) };
        return rewriteDeadLetters(channel, () => this.#connectedPublisher(), rewriting);
      });
  }

  async #withChannel<T>(work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
    await this.#connection?.waitForConnect();
    const channel = await this.#model?.createConfirmChannel();
    if (!channel) throw new Error('the broker is not connected');
    channel.on('error', (error) => this.#log.warn({ err: error }, 'broker channel failed'));
    try {
      return await work(channel);
    } finally {
      await channel.close().catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#connection?.close();
  }
}
