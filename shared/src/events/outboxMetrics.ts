import type { Sequelize } from 'sequelize';
import { query } from '../database/query.ts';
import { counter, gauge } from '../metrics/registry.ts';
import { collectAtScrape } from '../metrics/scrapeCollectors.ts';

const depth = gauge(
  'gradeway_outbox_events',
  'Unpublished events in the outbox of the service, which all replicas share; counted up to 100000',
);
const age = gauge(
  'gradeway_outbox_oldest_age_seconds',
  'Age of the oldest unpublished event; 0 when there is none',
);
const published = counter(
  'gradeway_outbox_published_total',
  'Published events that the broker has confirmed',
  ['type'],
);
const failed = counter(
  'gradeway_outbox_publish_failures_total',
  'Events that this process could not publish; they are retried',
);
failed.inc(0);

// Cheap even after a long broker outage: both use the index on pending rows, and the count is capped.
const read = `
  SELECT
    (SELECT count(*)::integer FROM (SELECT 1 FROM outbox WHERE sent_at IS NULL LIMIT 100000) pending) AS depth,
    coalesce((
      SELECT greatest(0, extract(epoch FROM clock_timestamp() - created_at))::float8
      FROM outbox WHERE sent_at IS NULL ORDER BY position LIMIT 1), 0) AS age`;

/** Measures the service's outbox on each scrape. Returns a function that stops measuring. */
export function measureOutbox(sequelize: Sequelize): () => void {
  return collectAtScrape({
    async collect() {
      const [row] = await query<{ depth: number; age: number }>(sequelize, { sql: read });
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
