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
import { type CloudEvent, type Envelope, readEvent } from './cloudEvent.ts';
import { countDeadLetter } from './consumerMetrics.ts';
import { inBatches } from './eventBatches.ts';
import { notificationChannel, PostgresListener } from './postgresListener.ts';

type Receive = (envelope: Envelope) => Promise<Outcome>;

interface Message {
  envelope: Envelope;
  attempts: number;
}

type NewJob = JobInsert<Message> & { data: Message };

const destination = (...names: string[]) => ({ system: 'pgboss', name: names.join(':') });
const deadLettersOf = (consumer: ConsumerName) => `${consumer}.dead`;
const schema = 'broker';

// pg-boss's own queue statistics are up to a minute old.
const depths = `
  SELECT
    (count(*) FILTER (WHERE name = $1 AND start_after <= now()))::integer AS waiting,
    (count(*) FILTER (WHERE name = $1 AND start_after > now()))::integer AS retrying,
    (count(*) FILTER (WHERE name = $2))::integer AS dead
  FROM ${schema}.job WHERE name IN ($1, $2) AND state < 'active'`;
const selectJobs = `
  SELECT id, name, data FROM ${schema}.job WHERE name = ANY($1) AND id > $2 ORDER BY id LIMIT 500`;
const updateJob = `
  UPDATE ${schema}.job SET data = jsonb_set(data, '{envelope,event}', $3::jsonb) WHERE name = $1 AND id = $2`;
const deleteJob = `DELETE FROM ${schema}.job WHERE name = $1 AND id = $2`;
const notify = 'SELECT pg_notify($1, type) FROM unnest($2::text[]) AS published (type)';
const maxPublished = 100;
// pg-boss passes all its options on to pg's pool. Reopening a connection costs more than keeping it open.
const poolOptions = { idleTimeoutMillis: 600_000 };
// Same as RabbitMQ (rabbitTopology.ts): a message that crashes its consumer this often becomes a dead letter.
const crashLimit = 20;

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
    for (const consumer of consumers) await this.#declare(consumer);
  }

  async #declare(consumer: ConsumerName): Promise<void> {
    await this.#boss.createQueue(deadLettersOf(consumer), { retentionSeconds: 365 * 86_400 });
    const options = {
      notify: true,
      // These only apply when a consumer crashes while handling a message; the message itself counts ordinary attempts.
      // It is redelivered within fifteen seconds, even if a handler merely takes that long: duplicates have no effect.
      expireInSeconds: 5,
      retryLimit: crashLimit,
      deadLetter: deadLettersOf(consumer),
      deleteAfterSeconds: 86_400,
    };
    await this.#boss.createQueue(consumer, options);
    // The queue may have been created by an earlier version.
    await this.#boss.updateQueue(consumer, options);
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
      // Finds delayed messages of a process that has ended, and messages whose notification was lost.
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
    rewrite: (consumer: ConsumerName, changes: MessageChanges) => this.#rewriteStored(consumer, changes),
  };

  // Delivered messages stay in the table for a day, so this rewrites messages in every state.
  async *#rewriteStored(consumer: ConsumerName, changes: MessageChanges): AsyncGenerator<number> {
    const queues = [consumer, deadLettersOf(consumer)];
    for (let last: string | undefined; ; ) {
      const bind = [queues, last ?? '00000000-0000-0000-0000-000000000000'];
      const jobs: Job<Message>[] = (await this.#boss.getDb().executeSql(selectJobs, bind)).rows;
      let changed = 0;
      for (const job of jobs) if (await this.#rewrite(job, changes)) changed += 1;
      yield changed;
      last = jobs.at(-1)?.id;
      if (last === undefined) return;
    }
  }

  async #rewrite({ id, name, data }: Job<Message>, changes: MessageChanges): Promise<boolean> {
    const event = eventOf(data);
    if (!event && !changes.deletesUnreadable(JSON.stringify(data))) return false;
    const changed = event && changes.event(event);
    if (event && changed === event) return false;
    const db = this.#boss.getDb();
    if (!changed) await db.executeSql(deleteJob, [name, id]);
    else await db.executeSql(updateJob, [name, id, JSON.stringify(changed)]);
    return true;
  }

  async close(): Promise<void> {
    await this.#listener.close();
    await this.#boss.stop({ graceful: false, close: true });
  }
}

function eventOf(message: Message | null): CloudEvent | undefined {
  try {
    return readEvent(message?.envelope?.event);
  } catch {
    return undefined;
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
