import type { Sequelize, Transaction } from 'sequelize';
import { isDatabaseUnavailable, isTransactionConflict } from '../database/errors.ts';
import { AppError } from '../errors/appError.ts';
import { measureHandling, measureQueues } from '../metrics/consumedEvents.ts';
import type { Logger } from '../process/logger.ts';
import type { Broker, Outcome } from './broker.ts';
import type { ConsumerName, EventData, EventType, subscriptions } from './catalog.ts';
import type { CloudEvent, Envelope } from './cloudEvent.ts';
import { deleteOldEvents, isNew } from './inbox.ts';

/** Applies an event, in the transaction that also notes that it was applied. */
export type EventHandler<Type extends EventType> = (
  data: EventData[Type],
  transaction: Transaction,
) => Promise<void>;

/** A handler for each event that the consumer subscribes to. */
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

const forgetEveryMs = 3_600_000;

/** Consumes a service's events, each applied once whatever the broker repeats. Returns how to stop. */
export async function consumeEvents<Name extends ConsumerName>(
  dependencies: Dependencies<Name>,
): Promise<() => Promise<void>> {
  const { broker, consumer, sequelize, log } = dependencies;
  await broker.consume(consumer, (envelope) =>
    measureHandling(consumer, envelope.event, () => receive(dependencies, envelope)),
  );
  const stopMeasuring = measureQueues(consumer, broker);
  const sweep = setInterval(() => {
    deleteOldEvents(sequelize).catch((error) => log.warn({ err: error }, 'could not tidy the inbox'));
  }, forgetEveryMs);
  return async () => {
    clearInterval(sweep);
    stopMeasuring();
    await broker.stopConsuming();
  };
}

interface IdempotentDependencies {
  consumer: ConsumerName;
  broker: Broker;
  log: Logger;
  /** Applies an event. Doing it again, or twice at once, must change nothing. */
  apply(event: CloudEvent): Promise<void>;
}

/**
 * Consumes events for a consumer that knows by itself what it has applied, by a unique constraint of its own table
 * for one: nothing is noted in the inbox. Returns how to stop.
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
    log.warn({ type: event.type }, 'no handler for an event that is delivered to us');
    return 'failed';
  }
  try {
    await sequelize.transaction(async (transaction) => {
      if (await isNew(sequelize, event, transaction)) await handle(event.data, transaction);
    });
    return 'done';
  } catch (error) {
    return outcomeOf(error, event, log);
  }
}

function outcomeOf(error: unknown, event: CloudEvent, log: Logger): Outcome {
  const passing =
    isDatabaseUnavailable(error) ||
    isTransactionConflict(error) ||
    (error instanceof AppError && error.code === 'unavailable');
  log.warn({ err: error, type: event.type, event_id: event.id }, passing ? 'event put off' : 'event failed');
  return passing ? 'later' : 'failed';
}
