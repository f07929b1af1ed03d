import { query } from '@gradeway/shared/database/query';
import { counter, gauge, histogram } from '@gradeway/shared/metrics/registry';
import { collectAtScrape } from '@gradeway/shared/metrics/scrapeCollectors';
import type { Sequelize } from 'sequelize';
import type { AttemptEvaluation } from '../domain/evaluateAttempt.ts';

const outcomes = ['delivered', 'again', 'failed'] as const;

const attempts = counter(
  'gradeway_webhook_attempts_total',
  'Webhook delivery attempts by outcome: `again` will be retried, `failed` was the last attempt',
  ['outcome'],
);
for (const outcome of outcomes) attempts.inc({ outcome }, 0);
const duration = histogram(
  'gradeway_webhook_attempt_duration_seconds',
  'Duration of a webhook delivery attempt, until the response or the failure',
  [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30],
);
const oldest = gauge(
  'gradeway_webhook_oldest_due_age_seconds',
  'Age of the oldest due message, excluding those to failing receivers; 0 if there is none',
);
const switchedOff = gauge(
  'gradeway_webhooks_switched_off',
  'Webhooks that were disabled because their receiver failed for too long or is gone',
);

/** Starts the timer of an attempt. The returned function records its duration and outcome. */
export function startAttemptTimer(): (outcome: AttemptEvaluation['outcome']) => void {
  const startedAt = performance.now();
  return (outcome) => {
    duration.observe((performance.now() - startedAt) / 1000);
    attempts.inc({ outcome });
  };
}

// One index lookup per subscription, so the cost does not depend on the number of pending messages.
const measure = `
  SELECT
    coalesce(extract(epoch FROM max(clock_timestamp() - due.next_attempt_at)), 0)::float8 AS oldest,
    count(*) FILTER (WHERE s.disabled_reason IS NOT NULL)::integer AS "switchedOff"
  FROM webhook_subscriptions s
  LEFT JOIN LATERAL (
    SELECT d.next_attempt_at FROM webhook_deliveries d
    WHERE d.subscription_id = s.id AND d.status = 'pending' AND d.next_attempt_at <= now()
    ORDER BY d.next_attempt_at LIMIT 1
  ) due ON s.is_active AND s.failing_since IS NULL AND (s.paused_until IS NULL OR s.paused_until <= now())
  WHERE s.deleted_at IS NULL`;

/** Measures the backlog of all replicas on each scrape. Returns a function that stops measuring. */
export function measureDeliveries(sequelize: Sequelize): () => void {
  return collectAtScrape({
    async collect() {
      const [row] = await query<{ oldest: number; switchedOff: number }>(sequelize, { sql: measure });
      if (!row) throw new Error('the query for webhook metrics returned no row');
      oldest.set(row.oldest);
      switchedOff.set(row.switchedOff);
    },
    clear() {
      oldest.remove();
      switchedOff.remove();
    },
  });
}
