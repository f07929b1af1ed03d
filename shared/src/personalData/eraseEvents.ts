import type { Sequelize } from 'sequelize';
import { query } from '../database/query.ts';
import type { Broker } from '../events/broker.ts';
import type { ConsumerName } from '../events/catalog.ts';
import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';
import { recentlyErased } from './erasedPeople.ts';
import { personalTypes, personOf, withoutPersonalData } from './personalEvents.ts';

interface Table {
  name: 'outbox' | 'webhook_deliveries';
  key: string;
  type: string;
  /** SQL for the body as jsonb, and for writing a new body. */
  body: string;
  write: (json: string) => string;
}

const outbox: Table = { name: 'outbox', key: 'position', type: 'type', body: 'body', write: (json) => json };
const webhookDeliveries: Table = {
  name: 'webhook_deliveries',
  key: 'id',
  type: 'event_type',
  body: 'body::jsonb',
  write: (json) => `(${json})::text`,
};

const batchSize = 2_000;
const sweepEveryMs = 600_000;

const endOfBatch = ({ name, key }: Table) => `
  SELECT max(${key}) AS last FROM (
    SELECT ${key} FROM ${name} WHERE ${key} > $1 ORDER BY ${key} LIMIT ${batchSize}) AS batch`;

// There is no index on people. Short statements over ranges of the primary key hold no lock for long.
const blankBatch = ({ name, key, type, body, write }: Table) => `
  UPDATE ${name} SET body = ${write(`jsonb_set(${body}, '{data}', ${body}->'data' || $5::jsonb)`)}
  WHERE ${key} > $1 AND ${key} <= $2 AND ${type} = $3 AND ${body}->'data'->>$4 = $6
    AND NOT ${body}->'data' @> $5::jsonb`;

/** Removes a person's data from stored events, published or not. Yields after each batch. */
export const eraseFromOutbox = (sequelize: Sequelize, userId: number): AsyncGenerator<void> =>
  eraseFrom(sequelize, outbox, userId);

/** Removes a person's data from webhook messages, delivered or not. Yields after each batch. */
export const eraseFromWebhooks = (sequelize: Sequelize, userId: number): AsyncGenerator<void> =>
  eraseFrom(sequelize, webhookDeliveries, userId);

async function* eraseFrom(sequelize: Sequelize, table: Table, userId: number): AsyncGenerator<void> {
  for (let from = '0'; ; ) {
    const [row] = await query<{ last: string | null }>(sequelize, { sql: endOfBatch(table), values: [from] });
    if (!row?.last) return;
    for (const { type, person, blank } of personalTypes) {
      const values = [from, row.last, type, person, JSON.stringify(blank), String(userId)];
      await query(sequelize, { sql: blankBatch(table), values });
    }
    from = row.last;
    yield;
  }
}

interface DeadLetterOptions {
  sequelize: Sequelize;
  broker: Broker;
  consumers: readonly ConsumerName[];
}

/**
 * Removes the data of recently erased people from the dead letters. A message that cannot be parsed as an event is
 * deleted if it contains `text`. Yields after each batch of changes.
 */
export async function* eraseFromBroker(
  { sequelize, broker, consumers }: DeadLetterOptions,
  text?: string,
): AsyncGenerator<void> {
  const erased = await recentlyErased(sequelize);
  if (erased.size === 0) return;
  for (const consumer of consumers) {
    // Another process may move messages at the same time, so one pass can miss some.
    for (let changed = 1; changed > 0; ) {
      changed = 0;
      const rewriting = broker.deadLetters.rewrite(consumer, {
        event: (event) => (erased.has(personOf(event) ?? 0) ? withoutPersonalData(event) : event),
        deletesUnreadable: (raw) => text !== undefined && text !== '' && raw.includes(text),
      });
      for await (const count of rewriting) {
        changed += count;
        yield;
      }
    }
  }
}

/**
 * Repeats {@link eraseFromBroker} every ten minutes: a message that was in flight during the erasure may have become a
 * dead letter since. Returns a function that stops it.
 */
export function sweepDeadLetters(options: DeadLetterOptions & { log: Logger }): () => Promise<void> {
  return runEvery({
    everyMs: sweepEveryMs,
    async task(signal) {
      for await (const _ of eraseFromBroker(options)) if (signal.aborted) return;
    },
    log: options.log,
    failureMessage: 'could not remove erased people from the dead letters',
  });
}
