import { query } from '@gradeway/shared/database/query';
import { counter, gauge } from '@gradeway/shared/metrics/registry';
import { collectAtScrape } from '@gradeway/shared/metrics/scrapeCollectors';
import type { Sequelize } from 'sequelize';
import { kinds, type MessageKind } from '../domain/kinds.ts';

const results = ['sent', 'again', 'failed', 'dropped'] as const;

export type MailResult = (typeof results)[number];

const sent = counter(
  'gradeway_mail_sent_total',
  'Messages to students and teachers by result: accepted by the mail server; `again` will be retried; `failed` was given up; `dropped` no longer applied when it was due',
  ['kind', 'result'],
);
for (const kind of [...kinds, 'digest']) for (const result of results) sent.inc({ kind, result }, 0);
const oldest = gauge(
  'gradeway_mail_oldest_waiting_age_seconds',
  'How long the oldest message has been due, excluding messages that the mail server refused; 0 if there is none',
);

export const countMail = (kind: MessageKind, result: MailResult): void => sent.inc({ kind, result });

const measure = `
  SELECT coalesce(greatest(0, extract(epoch FROM now() - min(waiting_since))), 0)::float8 AS age FROM mail_messages
  WHERE status = 'waiting' AND digest_id IS NULL AND NOT is_refused`;

/** Measures the backlog of all replicas on each scrape. Returns a function that stops measuring. */
export function measureMail(sequelize: Sequelize): () => void {
  return collectAtScrape({
    async collect() {
      const [row] = await query<{ age: number }>(sequelize, { sql: measure });
      oldest.set(row?.age ?? 0);
    },
    clear: () => oldest.remove(),
  });
}
