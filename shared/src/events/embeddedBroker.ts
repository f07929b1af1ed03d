import { type Job, PgBoss } from 'pg-boss';
import { countDeadLetter } from '../metrics/consumedEvents.ts';
import type { Logger } from '../process/logger.ts';
import { traceProcess, traceSend } from '../tracing/messageSpans.ts';
import { type Broker, type BrokerOptions, deliveryLimit, type Outcome, type QueueDepths } from './broker.ts';
import { type ConsumerName, type EventType, hasConsumer, subscriptions } from './catalog.ts';
import { type Envelope, readEvent } from './cloudEvent.ts';
import { channel, PostgresListener } from './postgresListener.ts';

type Receive = (envelope: Envelope) => Promise<Outcome>;

interface Message {
  envelope: Envelope;
  attempts: number;
}

const destination = (...names: string[]) => ({ system: 'pgboss', name: names.join(':') });
const deadLettersOf = (consumer: ConsumerName) => `${consumer}.dead`;
const schema = 'broker';

// pg-boss's own figures are up to a minute old.
const depths = `
  SELECT
    (count(*) FILTER (WHERE name = $1 AND start_after <= now()))::integer AS waiting,
    (count(*) FILTER (WHERE name = $1 AND start_after > now()))::integer AS retrying,
    (count(*) FILTER (WHERE name = $2))::integer AS dead
  FROM ${schema}.job WHERE name IN ($1, $2) AND state < 'active'`;
const deliveriesAtOnce = 8;

/**
 * The broker for trying Gradeway without Docker: the same two interfaces on pg-boss, in a schema of its own of
 * the embedded Postgres. Attempts are counted in the message, as with RabbitMQ, so that one that is only put
 * off is never given up.
 */
export async function openEmbeddedBroker({ url, log, retryDelayMs = 2_000 }: BrokerOptions): Promise<Broker> {
  const boss = new PgBoss({
    connectionString: url,
    schema,
    createSchema: false,
    schedule: false,
    useListenNotify: true,
    max: 4,
    connectionTimeoutMillis: 2_000,
    options: '-c statement_timeout=5000',
    application_name: 'embedded broker',
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  });
  const broker = new EmbeddedBroker(boss, url, log, retryDelayMs);
  await broker.start();
  return broker;
}

class EmbeddedBroker implements Broker {
  readonly #boss: PgBoss;
  readonly #log: Logger;
  readonly #retryDelayMs: number;
  readonly #workers: string[] = [];
  readonly #listener: PostgresListener;

  constructor(boss: PgBoss, url: string, log: Logger, retryDelayMs: number) {
    this.#boss = boss;
    this.#listener = new PostgresListener(url, log);
    this.#log = log;
    this.#retryDelayMs = retryDelayMs;
  }

  async start(): Promise<void> {
    this.#boss.on('error', (error) => this.#log.warn({ err: error }, 'embedded broker'));
    await this.#boss.start();
    for (const consumer of Object.keys(subscriptions) as ConsumerName[]) await this.#declare(consumer);
  }

  async #declare(consumer: ConsumerName): Promise<void> {
    await this.#boss.createQueue(deadLettersOf(consumer), { retentionSeconds: 365 * 86_400 });
    await this.#boss.createQueue(consumer, {
      notify: true,
      // For a consumer that dies with a message in its hands; whatever it answers for is counted by us.
      expireInSeconds: 30,
      retryLimit: 20,
      deleteAfterSeconds: 86_400,
    });
    for (const type of subscriptions[consumer]) await this.#boss.subscribe(type, consumer);
  }

  async publish(envelope: Envelope): Promise<void> {
    const { type } = envelope.event;
    await traceSend(destination(type), envelope, async (traceparent) => {
      const message: Message = { envelope: { ...envelope, traceparent }, attempts: 0 };
      if (hasConsumer(type)) await this.#boss.publish(type, message);
    });
    await this.#boss.getDb().executeSql('SELECT pg_notify($1, $2)', [channel, type]);
  }

  async consume(consumer: ConsumerName, receive: Receive): Promise<void> {
    const options = {
      batchSize: deliveriesAtOnce,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 1,
      // A message that was put off comes due without a notification.
      notifyPollingIntervalSeconds: 1,
    };
    const traced: Receive = (envelope) =>
      traceProcess(destination(envelope.event.type, consumer), envelope, () => receive(envelope));
    await this.#boss.work<Message>(consumer, options, async (jobs) => {
      await Promise.all(jobs.map((job) => this.#deliver(consumer, job, traced)));
    });
    this.#workers.push(consumer);
  }

  async #deliver(consumer: ConsumerName, { data }: Job<Message>, receive: Receive): Promise<void> {
    const outcome = await receiveMessage(data, receive, this.#log);
    if (outcome === 'done') return;
    // A copy first, then the original is completed by our return: a crash in between makes a duplicate, no loss.
    const attempts = data.attempts + (outcome === 'failed' ? 1 : 0);
    const message: Message = { envelope: data.envelope, attempts };
    if (attempts < deliveryLimit) {
      await this.#boss.send(consumer, message, { startAfter: new Date(Date.now() + this.#retryDelayMs) });
      return;
    }
    this.#log.error({ message_id: data.envelope?.event?.id }, 'message given up: a dead letter');
    await this.#boss.send(deadLettersOf(consumer), message);
    countDeadLetter(consumer);
  }

  async stopConsuming(): Promise<void> {
    for (const worker of this.#workers.splice(0)) await this.#boss.offWork(worker, { wait: true });
  }

  listen(types: EventType[], wake: (type: EventType) => void): Promise<void> {
    return this.#listener.listen(types, wake);
  }

  async depths(consumer: ConsumerName): Promise<QueueDepths> {
    const { rows } = await this.#boss.getDb().executeSql(depths, [consumer, deadLettersOf(consumer)]);
    return rows[0];
  }

  readonly deadLetters = {
    count: async (consumer: ConsumerName) => (await this.depths(consumer)).dead,
    replay: async (consumer: ConsumerName): Promise<number> => {
      const dead = deadLettersOf(consumer);
      let replayed = 0;
      for (;;) {
        const jobs = await this.#boss.fetch<Message>(dead, { batchSize: 100 });
        if (jobs.length === 0) return replayed;
        for (const { id, data } of jobs) {
          await this.#boss.send(consumer, { envelope: data.envelope, attempts: 0 });
          await this.#boss.complete(dead, id);
        }
        replayed += jobs.length;
      }
    },
  };

  async close(): Promise<void> {
    await this.#listener.close();
    await this.#boss.stop({ graceful: false, close: true });
  }
}

async function receiveMessage(message: Message, receive: Receive, log: Logger): Promise<Outcome> {
  try {
    readEvent(message.envelope?.event);
    return await receive(message.envelope);
  } catch (error) {
    log.error({ err: error }, 'a message that is no event');
    return 'failed';
  }
}
