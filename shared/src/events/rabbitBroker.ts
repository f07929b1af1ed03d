import { type ChannelModel, type ConfirmChannel, type ConsumeMessage, connect, type Message } from 'amqplib';
import { countDeadLetter } from '../metrics/consumedEvents.ts';
import type { Logger } from '../process/logger.ts';
import { traceProcess, traceSend } from '../tracing/messageSpans.ts';
import {
  type Broker,
  type BrokerOptions,
  deliveryLimit,
  type EventListener,
  type Outcome,
  type QueueDepths,
} from './broker.ts';
import { type ConsumerName, type EventType, hasConsumer } from './catalog.ts';
import { type Envelope, readEvent } from './cloudEvent.ts';
import { ConfirmedPublisher } from './confirmedPublisher.ts';
import {
  type DeclaredQueues,
  declareExchange,
  declareTopology,
  exchange,
  queuesOf,
} from './rabbitTopology.ts';

type Declare = (channel: ConfirmChannel) => Promise<void>;
type Receive = (envelope: Envelope) => Promise<Outcome>;

interface Consumption {
  queues: DeclaredQueues;
  receive: Receive;
}

interface Listening {
  types: EventType[];
  wake: (type: EventType) => void;
}

// Exchange and routing key, and for a consumer its queue: so the conventions of tracing name a place in RabbitMQ.
const destination = (...names: string[]) => ({ system: 'rabbitmq', name: [exchange, ...names].join(':') });

const attemptsHeader = 'x-attempts';
const deliveriesAtOnce = 8;

/**
 * RabbitMQ, 3.10 and later. The connection comes back by itself (amqplib's recovery); channels, topology and
 * consumers are made anew each time, and also when the broker closes only the channel.
 */
export async function openRabbitBroker(options: BrokerOptions): Promise<Broker> {
  const retryDelayMs = options.retryDelayMs ?? 2_000;
  const broker = new RabbitBroker(options.log, (channel) => declareTopology(channel, retryDelayMs));
  await broker.connect(options.url);
  return broker;
}

/** The same for a process that only listens: it need not be allowed more than a queue of its own. */
export async function openRabbitListener({ url, log }: BrokerOptions): Promise<EventListener> {
  const broker = new RabbitBroker(log, declareExchange);
  await broker.connect(url);
  return broker;
}

class RabbitBroker implements Broker {
  readonly #log: Logger;
  readonly #declare: Declare;
  readonly #consumptions: Consumption[] = [];
  readonly #listenings: Listening[] = [];
  readonly #underWay = new Set<Promise<void>>();
  #connection: Awaited<ReturnType<typeof connectRecovering>> | undefined;
  #model: ChannelModel | undefined;
  #publisher: ConfirmedPublisher | undefined;
  #consumers: { channel: ConfirmChannel; tag: string }[] = [];
  #closing = false;

  constructor(log: Logger, declare: Declare) {
    this.#log = log;
    this.#declare = declare;
  }

  async connect(url: string): Promise<void> {
    this.#connection = await connectRecovering(url, (model) => this.#setUp(model));
    this.#connection.on('error', (error) => this.#log.warn({ err: error }, 'broker connection'));
    this.#connection.on('disconnect', (error) => {
      this.#model = undefined;
      this.#publisher = undefined;
      if (!this.#closing) this.#log.warn({ err: error }, 'the broker is gone');
    });
    this.#connection.on('connect', () => this.#log.info('connected to the broker'));
  }

  async #setUp(model: ChannelModel): Promise<void> {
    // Before anything else: if the broker dies while this runs, an unheard error would end the process.
    model.on('error', (error) => this.#log.warn({ err: error }, 'broker connection'));
    this.#consumers = [];
    const channel = await this.#openChannel(model);
    await this.#declare(channel);
    this.#model = model;
    this.#publisher = new ConfirmedPublisher(channel);
    for (const consumption of this.#consumptions) await this.#startConsuming(model, consumption);
    for (const listening of this.#listenings) await this.#startListening(model, listening);
  }

  async #openChannel(model: ChannelModel): Promise<ConfirmChannel> {
    const channel = await model.createConfirmChannel();
    channel.on('error', (error) => this.#log.warn({ err: error }, 'broker channel'));
    // The broker closed the channel but not the connection: start over with a new connection.
    channel.on('close', () => {
      if (!this.#closing) model.close().catch(() => {});
    });
    return channel;
  }

  async publish(envelope: Envelope): Promise<void> {
    const { event } = envelope;
    // While the broker is away the relay asks every few seconds, for each event that waits: that is no sending.
    const publisher = this.#confirmed();
    await traceSend(destination(event.type), envelope, (traceparent) =>
      publisher.publish(exchange, event.type, event, {
        messageId: event.id,
        headers: traceparent ? { traceparent } : {},
        mustRoute: hasConsumer(event.type),
      }),
    );
  }

  #confirmed(): ConfirmedPublisher {
    if (!this.#publisher) throw new Error('the broker is not connected');
    return this.#publisher;
  }

  async consume(consumer: ConsumerName, receive: Receive): Promise<void> {
    const queues = queuesOf(consumer);
    const traced: Receive = (envelope) =>
      traceProcess(destination(envelope.event.type, queues.main), envelope, () => receive(envelope));
    const consumption = { queues, receive: traced };
    this.#consumptions.push(consumption);
    if (this.#model) await this.#startConsuming(this.#model, consumption);
  }

  async #startConsuming(model: ChannelModel, consumption: Consumption): Promise<void> {
    const channel = await this.#openChannel(model);
    await channel.prefetch(deliveriesAtOnce);
    const { consumerTag } = await channel.consume(consumption.queues.main, (message) => {
      if (!message) {
        this.#log.warn('the broker cancelled our consumer');
        void channel.close().catch(() => {});
        return;
      }
      const delivery = this.#deliver(channel, message, consumption).finally(() =>
        this.#underWay.delete(delivery),
      );
      this.#underWay.add(delivery);
    });
    this.#consumers.push({ channel, tag: consumerTag });
  }

  /*
   * A message that fails is not given back to its queue: that would repeat it at once and without end. A copy
   * goes to the retry queue, which returns it after a pause, or to the dead letters; only when the broker has
   * confirmed the copy is the original acknowledged. A crash in between makes a duplicate, never a loss.
   */
  async #deliver(
    channel: ConfirmChannel,
    message: ConsumeMessage,
    { queues, receive }: Consumption,
  ): Promise<void> {
    try {
      const outcome = await receiveMessage(message, receive, this.#log);
      if (outcome !== 'done') await this.#putAside(message, outcome, queues);
      channel.ack(message);
    } catch (error) {
      // The broker is going away; it delivers what was not acknowledged again.
      this.#log.warn({ err: error }, 'a message could not be settled');
    }
  }

  async #putAside(message: ConsumeMessage, outcome: Outcome, queues: DeclaredQueues): Promise<void> {
    const attempts =
      Number(message.properties.headers?.[attemptsHeader] ?? 0) + (outcome === 'failed' ? 1 : 0);
    const dead = attempts >= deliveryLimit;
    if (dead)
      this.#log.error({ message_id: message.properties.messageId }, 'message given up: a dead letter');
    await this.#resend(message, dead ? queues.dead : queues.retry, attempts);
    if (dead) countDeadLetter(queues.consumer);
  }

  #resend(message: Message, queue: string, attempts: number): Promise<void> {
    const { traceparent } = message.properties.headers ?? {};
    return this.#confirmed().publish('', queue, message.content, {
      messageId: message.properties.messageId,
      headers: { [attemptsHeader]: attempts, ...(traceparent ? { traceparent } : {}) },
      mustRoute: true,
    });
  }

  async stopConsuming(): Promise<void> {
    await Promise.allSettled(this.#consumers.map(({ channel, tag }) => channel.cancel(tag)));
    this.#consumptions.length = 0;
    await Promise.allSettled(this.#underWay);
  }

  async listen(types: EventType[], wake: (type: EventType) => void): Promise<void> {
    const listening = { types, wake };
    this.#listenings.push(listening);
    if (this.#model) await this.#startListening(this.#model, listening);
  }

  async #startListening(model: ChannelModel, { types, wake }: Listening): Promise<void> {
    const channel = await this.#openChannel(model);
    const { queue } = await channel.assertQueue('', { exclusive: true, autoDelete: true, durable: false });
    for (const type of types) await channel.bindQueue(queue, exchange, type);
    await channel.consume(queue, (message) => message && wake(message.fields.routingKey as EventType), {
      noAck: true,
    });
  }

  async depths(consumer: ConsumerName): Promise<QueueDepths> {
    // Who measures does not wait for the broker to come back.
    if (!this.#model) throw new Error('the broker is not connected');
    const { main, retry, dead } = queuesOf(consumer);
    return this.#withChannel(async (channel) => {
      const [waiting, retrying, given] = await Promise.all(
        [main, retry, dead].map(async (queue) => (await channel.checkQueue(queue)).messageCount),
      );
      return { waiting: waiting ?? 0, retrying: retrying ?? 0, dead: given ?? 0 };
    });
  }

  readonly deadLetters = {
    count: async (consumer: ConsumerName) => (await this.depths(consumer)).dead,
    replay: (consumer: ConsumerName) =>
      this.#withChannel(async (channel) => {
        const { dead, main } = queuesOf(consumer);
        let replayed = 0;
        for (let message = await channel.get(dead); message; message = await channel.get(dead)) {
          await this.#resend(message, main, 0);
          channel.ack(message);
          replayed += 1;
        }
        return replayed;
      }),
  };

  async #withChannel<T>(work: (channel: ConfirmChannel) => Promise<T>): Promise<T> {
    await this.#connection?.waitForConnect();
    const channel = await this.#model?.createConfirmChannel();
    if (!channel) throw new Error('the broker is not connected');
    channel.on('error', (error) => this.#log.warn({ err: error }, 'broker channel'));
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

function connectRecovering(url: string, setup: (model: ChannelModel) => Promise<void>) {
  const address = new URL(url);
  // A broker that stopped answering, but whose connection stands, is noticed within two heartbeats.
  if (!address.searchParams.has('heartbeat')) address.searchParams.set('heartbeat', '5');
  return connect(address.href, {
    timeout: 3_000,
    keepAlive: true,
    noDelay: true,
    recovery: { initialDelay: 200, maxDelay: 2_000, waitForConnect: false, setup },
  });
}

async function receiveMessage(message: ConsumeMessage, receive: Receive, log: Logger): Promise<Outcome> {
  try {
    const event = readEvent(message.content.toString('utf8'));
    const traceparent = message.properties.headers?.traceparent;
    return await receive({ event, traceparent: typeof traceparent === 'string' ? traceparent : null });
  } catch (error) {
    log.error({ err: error }, 'a message that is no event');
    return 'failed';
  }
}
