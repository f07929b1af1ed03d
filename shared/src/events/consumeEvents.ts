import type { Sequelize, Transaction } from 'sequelize';
import { isDatabaseUnavailable, isTransactionConflict } from '../database/errors.ts';
import { AppError } from '../errors/appError.ts';
import { measureHandling, measureQueues } from '../metrics/consumedEvents.ts';
import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';
import type { Broker, Outcome } from './broker.ts';
import type { ConsumerName, EventData, EventType, subscriptions } from './catalog.ts';
import type { CloudEvent, Envelope } from './cloudEvent.ts';
import { purgeInbox, recordEvent } from './inbox.ts';

/** Applies an event in the transaction that also records it in the inbox. */
export type EventHandler<Type extends EventType> = (
  data: EventData[Type],
  transaction: Transaction,
) => Promise<void>;

/** A handler for each event type that the consumer subscribes to. */
export type EventHandlers<Name extends ConsumerName> = {
  [Type in (typeof subscriptions)[Name][number]]: EventHandler<Type>;
};

interface Dependencies<Name extends ConsumerName> {
  consumer: Name;
  broker: Broker;
  sequelize: Sequelize;
  handlers: EventHandlers<Name>;
  log: Logger;
}

/** Consumes the events of a service and applies each exactly once, using the inbox. Returns a function that stops. */
export async function consumeEvents<Name extends ConsumerName>(
  dependencies: Dependencies<Name>,
): Promise<() => Promise<void>> {
  const { broker, consumer, sequelize, log } = dependencies;
  await broker.consume(consumer, (envelope) =>
    measureHandling(consumer, envelope.event, () => receive(dependencies, envelope)),
  );
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
  /** Applies an event. Must be idempotent, also when called concurrently with the same event. */
  apply(event: CloudEvent): Promise<void>;
}

/**
 * Consumes events without an inbox, for a consumer whose effect is idempotent, for example by a unique constraint.
 * Returns a function that stops.
 */
export async function consumeIdempotently({
  consumer,
  broker,
  log,
  apply,
}: IdempotentDependencies): Promise<() => Promise<void>> {
  await broker.consume(consumer, async ({ event }) => {
    try {
      await apply(event);
      return 'done';
    } catch (error) {
      return outcomeOf(error, event, log);
    }
  });
  return () => broker.stopConsuming();
}

async function receive<Name extends ConsumerName>(
  { sequelize, handlers, log }: Dependencies<Name>,
  { event }: Envelope,
): Promise<Outcome> {
  const handle = (handlers as unknown as Partial<Record<string, EventHandler<EventType>>>)[event.type];
  if (!handle) {
    log.warn({ type: event.type }, 'no handler for the event type');
    return 'failed';
  }
  try {
    await sequelize.transaction(async (transaction) => {
      if (await recordEvent(sequelize, event, transaction)) await handle(event.data, transaction);
    });
    return 'done';
  } catch (error) {
    return outcomeOf(error, event, log);
  }
}

function outcomeOf(error: unknown, event: CloudEvent, log: Logger): Outcome {
  const temporary =
    isDatabaseUnavailable(error) ||
    isTransactionConflict(error) ||
    (error instanceof AppError && error.code === 'unavailable');
  const fields = { err: error, type: event.type, event_id: event.id };
  if (temporary) log.warn(fields, 'event delayed; retrying');
  else log.warn(fields, 'event failed');
  return temporary ? 'later' : 'failed';
}
