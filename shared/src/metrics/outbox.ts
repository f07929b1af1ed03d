import type { Sequelize } from 'sequelize';
import { selectRows } from '../database/connection.ts';
import { counter, gauge } from './registry.ts';
import { collectAtScrape } from './scrapeCollectors.ts';

const depth = gauge(
  'gradeway_outbox_events',
  'Events of the service that the broker has not confirmed yet; 100000 stands for any more than that',
);
const age = gauge(
  'gradeway_outbox_oldest_age_seconds',
  'How long the oldest of them has waited; 0 without any',
);
const published = counter(
  'gradeway_outbox_published_total',
  'Events that the broker confirmed to this process',
  ['type'],
);
const failed = counter(
  'gradeway_outbox_publish_failures_total',
  'Events that the broker did not confirm; each is tried again',
);
failed.inc(0);

// Both go by the index of waiting rows, and the count ends at its limit: cheap however long the broker is away.
const read = `
  SELECT
    (SELECT count(*)::integer FROM (SELECT 1 FROM outbox WHERE sent_at IS NULL LIMIT 100000) waiting) AS depth,
    coalesce((
      SELECT greatest(0, extract(epoch FROM clock_timestamp() - created_at))::float8
      FROM outbox WHERE sent_at IS NULL ORDER BY position LIMIT 1), 0) AS age`;

/** Measures what the outbox holds, all replicas together. Returns how to stop. */
export function measureOutbox(sequelize: Sequelize): () => void {
  return collectAtScrape({
    async collect() {
      const [row] = await selectRows<{ depth: number; age: number }>(sequelize, read);
      if (!row) throw new Error('the outbox could not be read');
      depth.set(row.depth);
      age.set(row.age);
    },
    clear() {
      depth.remove();
      age.remove();
    },
  });
}

export const countPublished = (type: string): void => published.inc({ type });
export const countPublishFailure = (): void => failed.inc();
