import { type Job, type JobInsert, PgBoss } from 'pg-boss';
import type { Logger } from '../process/logger.ts';
import { traceProcess, traceSend } from '../tracing/messageSpans.ts';
import {
  type Broker,
  type BrokerOptions,
  concurrentDeliveries,
  deliveryLimit,
  type MessageChanges,
  type Outcome,
  type PublishOptions,
  type QueueDepths,
} from './broker.ts';
import { type ConsumerName, consumers, type EventType, subscriptions } from './catalog.ts';
import { type Envelope, readEvent } from './cloudEvent.ts';
import { countDeadLetter } from './consumerMetrics.ts';
import { type Message, rewriteMessages } from './embeddedMessages.ts';
import { deadLettersOf, declareQueues, readDepths, schema } from './embeddedQueues.ts';
import { inBatches } from './eventBatches.ts';
import { notificationChannel, PostgresListener } from './postgresListener.ts';

type Receive = (envelope: Envelope) => Promise<Outcome>;

type NewJob = JobInsert<Message> & { data: Message };

const destination = (...names: string[]) => ({ system: 'pgboss', name: names.join(':') });

const notify = 'SELECT pg_notify($1, type) FROM unnest($2::text[]) AS published (type)';
const maxPublished = 100;
// pg-boss passes all its options on to pg's pool. Reopening a connection costs more than keeping it open. The server cancels
// a statement first; the client-side timeout covers a server that no longer answers.
const poolOptions = { idleTimeoutMillis: 600_000, query_timeout: 6_000 };

/**
 * Opens the embedded broker, which runs Gradeway without Docker: pg-boss in the `broker` schema of the embedded
 * Postgres. As with RabbitMQ, attempts are counted in the message, so the outcome `later` does not use up attempts.
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
    // How often pg-boss looks for messages of crashed consumers.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // Flows are not used. The default is five seconds.
    flowIntervalSeconds: 86_400,
    ...poolOptions,
  });
  const broker = new EmbeddedBroker(boss, url, log, retryDelayMs);
  await broker.start();
  return broker;
}

class EmbeddedBroker implements Broker {
  readonly #boss: PgBoss;
  readonly #log: Logger;
  readonly #retryDelayMs: number;
  // A batch that fails can have stored some of its events. Storing them twice is harmless.
  readonly #storeInBatch = inBatches<NewJob>(
    maxPublished,
    (jobs) => this.#store(jobs),
    (job) => this.#store([job]),
  );
  readonly #workers = new Map<ConsumerName, string>();
  readonly #listener: PostgresListener;

  constructor(boss: PgBoss, url: string, log: Logger, retryDelayMs: number) {
    this.#boss = boss;
    this.#listener = new PostgresListener(url, log);
    this.#log = log;
    this.#retryDelayMs = retryDelayMs;
  }

  async start(): Promise<void> {
    this.#boss.on('error', (error) => this.#log.warn({ err: error }, 'embedded broker failed'));
    await this.#boss.start();
    await declareQueues(this.#boss);
  }

  async publish(envelope: Envelope, { isBacklog = false }: PublishOptions = {}): Promise<void> {
    await traceSend(destination(envelope.event.type), envelope, (traceparent) => {
      const data: Message = { envelope: { ...envelope, traceparent }, attempts: 0 };
      return this.#storeInBatch({ data, priority: isBacklog ? 0 : 1 });
    });
  }

  // Uses one statement per consumer, because every statement waits for the disk.
  async #store(published: NewJob[]): Promise<void> {
    const typeOf = ({ data }: NewJob) => data.envelope.event.type;
    await Promise.all(
      consumers.map(async (consumer) => {
        const types: readonly EventType[] = subscriptions[consumer];
        const jobs = published.filter((job) => types.includes(typeOf(job)));
        if (jobs.length > 0) await this.#boss.insert(consumer, jobs);
      }),
    );
    const types = [...new Set(published.map(typeOf))];
    await this.#boss.getDb().executeSql(notify, [notificationChannel, types]);
  }

  async consume(consumer: ConsumerName, receive: Receive): Promise<void> {
    const options = {
      batchSize: concurrentDeliveries,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 1,
      // Finds delayed messages from a process that has ended, and messages whose notification was lost.
      notifyPollingIntervalSeconds: 5,
    };
    const traced: Receive = (envelope) =>
      traceProcess(destination(envelope.event.type, consumer), envelope, () => receive(envelope));
    const worker = await this.#boss.work<Message>(consumer, options, async (jobs) => {
      await Promise.all(jobs.map((job) => this.#deliver(consumer, job, traced)));
    });
    this.#workers.set(consumer, worker);
  }

  async #deliver(consumer: ConsumerName, { data }: Job<Message>, receive: Receive): Promise<void> {
    const outcome = await receiveMessage(data, receive, this.#log);
    if (outcome === 'done') return;
    // Sends the copy before pg-boss completes the original, so a crash in between duplicates it but never loses it.
    const attempts = data.attempts + (outcome === 'failed' ? 1 : 0);
    const message: Message = { envelope: data.envelope, attempts };
    if (attempts < deliveryLimit) {
      await this.#boss.send(consumer, message, { startAfter: new Date(Date.now() + this.#retryDelayMs) });
      this.#wakeAfterPause(consumer);
      return;
    }
    this.#log.error(
      { message_id: data.envelope?.event?.id },
      'attempts used up; message moved to the dead letters',
    );
    await this.#boss.send(deadLettersOf(consumer), message);
    countDeadLetter(consumer);
  }

  // pg-boss notifies when a message is sent, but not when its pause ends.
  #wakeAfterPause(consumer: ConsumerName): void {
    const wake = () => {
      const worker = this.#workers.get(consumer);
      if (worker) this.#boss.notifyWorker(worker);
    };
    setTimeout(wake, this.#retryDelayMs + 50).unref();
  }

  async stopConsuming(): Promise<void> {
    const consumers = [...this.#workers.keys()];
    this.#workers.clear();
    for (const consumer of consumers) await this.#boss.offWork(consumer, { wait: true });
  }

  listen(types: EventType[], wake: (type: EventType) => void): Promise<void> {
    return this.#listener.listen(types, wake);
  }

  depths(consumer: ConsumerName): Promise<QueueDepths> {
    return readDepths(this.#boss, consumer);
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
    rewrite: (consumer: ConsumerName, changes: MessageChanges) =>
      rewriteMessages(this.#boss, [consumer, deadLettersOf(consumer)], changes),
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
    log.error({ err: error }, 'message is not a valid event');
    return 'failed';
  }
}
