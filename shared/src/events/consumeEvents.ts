import type { Sequelize, Transaction } from 'sequelize';
import { isDatabaseUnavailable, isTransactionConflict } from '../database/errors.ts';
import { query } from '../database/query.ts';
import { AppError } from '../errors/appError.ts';
import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';
import { Semaphore } from '../process/semaphore.ts';
import type { Broker, Outcome } from './broker.ts';
import type { ConsumerName, EventData, EventType, subscriptions } from './catalog.ts';
import type { CloudEvent } from './cloudEvent.ts';
import { countFromZero, measureHandling, measureQueues } from './consumerMetrics.ts';
import { inBatches } from './eventBatches.ts';
import { purgeInbox, recordEvents } from './inbox.ts';

/** Applies an event in the transaction that also records it in the inbox. */
export type EventHandler<Type extends EventType> = (
  data: EventData[Type],
  transaction: Transaction,
) => Promise<void>;

/**
 * Applies several events of a type in the transaction that also records them, for types that can arrive by the
 * thousand. A single event can also arrive on its own.
 */
export interface BatchHandler<Type extends EventType> {
  applyAll(data: EventData[Type][], transaction: Transaction): Promise<void>;
}

/** A handler for each event type that the consumer subscribes to. */
export type EventHandlers<Name extends ConsumerName> = {
  [Type in (typeof subscriptions)[Name][number]]: EventHandler<Type> | BatchHandler<Type>;
};

interface Dependencies<Name extends ConsumerName> {
  consumer: Name;
  broker: Broker;
  sequelize: Sequelize;
  handlers: EventHandlers<Name>;
  log: Logger;
}

// Each takes a connection from the pool, which requests also need.
const maxConcurrentEvents = 8;
const batchSize = 100;

/*
 * A batch locks the rows of many people, in an order that concurrent transactions need not share. It gives up long
 * before PostgreSQL checks for a deadlock (after a second), so that the other transaction never fails and one blocked
 * row does not delay other events.
 */
const shortenLockWait = "SELECT set_config('lock_timeout', '200ms', true)";

type Apply = (event: CloudEvent) => Promise<void>;

/** Consumes a service's events and applies each exactly once, using the inbox. Returns a function that stops it. */
export async function consumeEvents<Name extends ConsumerName>(
  dependencies: Dependencies<Name>,
): Promise<() => Promise<void>> {
  const { broker, consumer, sequelize, log } = dependencies;
  const handlers = dependencies.handlers as unknown as Partial<Record<string, AnyHandler>>;
  const alone = severalAtOnce(async (event) => {
    const handler = handlers[event.type];
    if (!handler) throw new Error('no handler for the event type');
    await applyOnce(sequelize, handler, [event]);
  });
  const giveUpSoon = (transaction: Transaction) => query(sequelize, { sql: shortenLockWait, transaction });
  const together = new Map<string, Apply>();
  for (const [type, handler] of Object.entries(handlers))
    if (typeof handler === 'object') {
      const applyAll = (events: CloudEvent[]) => applyOnce(sequelize, handler, events, giveUpSoon);
      together.set(type, inBatches(batchSize, applyAll, alone));
    }
  await broker.consume(consumer, ({ event }) =>
    measureHandling(consumer, event, () => receive(event, together.get(event.type) ?? alone, log)),
  );
  countFromZero(consumer);
  const stopMeasuring = measureQueues(consumer, broker);
  const stopPurging = runEvery({
    everyMs: 3_600_000,
    task: (signal) => purgeInbox(sequelize, signal),
    log,
    failureMessage: 'could not purge the inbox',
  });
  return async () => {
    stopMeasuring();
    await stopPurging();
    await broker.stopConsuming();
  };
}

interface IdempotentDependencies {
  consumer: ConsumerName;
  broker: Broker;
  log: Logger;
  /** Applies one or more events. Must be idempotent, even when called concurrently with the same event. */
  applyAll(events: CloudEvent[]): Promise<void>;
}

/**
 * Consumes events without an inbox, for a consumer whose effect is idempotent, for example because of a unique
 * constraint. Returns a function that stops consuming.
 */
export async function consumeIdempotently({
  consumer,
  broker,
  log,
  applyAll,
}: IdempotentDependencies): Promise<() => Promise<void>> {
  const apply = inBatches(
    batchSize,
    applyAll,
    severalAtOnce((event) => applyAll([event])),
  );
  await broker.consume(consumer, ({ event }) => receive(event, apply, log));
  const stopMeasuring = measureQueues(consumer, broker);
  return async () => {
    stopMeasuring();
    await broker.stopConsuming();
  };
}

/** Limits concurrent events. Waiting events start round-robin by type. */
function severalAtOnce(apply: Apply): Apply {
  const slots = new Semaphore<string>({ slots: maxConcurrentEvents });
  return (event) => slots.run(event.type, () => apply(event));
}

type AnyHandler = EventHandler<EventType> | BatchHandler<EventType>;

/** Applies the events that have not been applied before. */
async function applyOnce(
  sequelize: Sequelize,
  handler: AnyHandler,
  events: CloudEvent[],
  prepare?: (transaction: Transaction) => Promise<unknown>,
): Promise<void> {
  await sequelize.transaction(async (transaction) => {
    await prepare?.(transaction);
    const data = (await recordEvents(sequelize, events, transaction)).map((event) => event.data);
    if (typeof handler === 'object') {
      if (data.length > 0) await handler.applyAll(data, transaction);
    } else for (const each of data) await handler(each, transaction);
  });
}

async function receive(event: CloudEvent, apply: Apply, log: Logger): Promise<Outcome> {
  try {
    await apply(event);
    return 'done';
  } catch (error) {
    const temporary =
      isDatabaseUnavailable(error) ||
      isTransactionConflict(error) ||
      (error instanceof AppError && error.code === 'unavailable');
    const fields = { err: error, type: event.type, event_id: event.id };
    if (temporary) log.warn(fields, 'event delayed; retrying');
    else log.warn(fields, 'event failed');
    return temporary ? 'later' : 'failed';
  }
}
