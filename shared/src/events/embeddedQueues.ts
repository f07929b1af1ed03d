import type { PgBoss } from 'pg-boss';
import type { QueueDepths } from './broker.ts';
import { type ConsumerName, consumers } from './catalog.ts';

/** The database schema of the embedded broker. */
export const schema = 'broker';

// Same as RabbitMQ (rabbitTopology.ts): a message that crashes its consumer this often becomes a dead letter.
const crashLimit = 20;

// pg-boss's own queue statistics are up to a minute old.
const depths = `
  SELECT
    (count(*) FILTER (WHERE name = $1 AND start_after <= now()))::integer AS waiting,
    (count(*) FILTER (WHERE name = $1 AND start_after > now()))::integer AS retrying,
    (count(*) FILTER (WHERE name = $2))::integer AS dead
  FROM ${schema}.job WHERE name IN ($1, $2) AND state < 'active'`;

export const deadLettersOf = (consumer: ConsumerName): string => `${consumer}.dead`;

/** Creates the queues of all consumers, and updates queues that an earlier version created. */
export async function declareQueues(boss: PgBoss): Promise<void> {
  for (const consumer of consumers) {
    await boss.createQueue(deadLettersOf(consumer), { retentionSeconds: 365 * 86_400 });
    const options = {
      notify: true,
      // These only apply when a consumer crashes while handling a message; the message itself counts ordinary attempts.
      // It is redelivered within fifteen seconds, even if a handler merely takes that long: duplicates have no effect.
      expireInSeconds: 5,
      retryLimit: crashLimit,
      deadLetter: deadLettersOf(consumer),
      deleteAfterSeconds: 86_400,
    };
    await boss.createQueue(consumer, options);
    await boss.updateQueue(consumer, options);
  }
}

export async function readDepths(boss: PgBoss, consumer: ConsumerName): Promise<QueueDepths> {
  const { rows } = await boss.getDb().executeSql(depths, [consumer, deadLettersOf(consumer)]);
  return rows[0];
}
