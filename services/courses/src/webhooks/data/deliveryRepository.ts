import { query } from '@gradeway/shared/database/query';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Delivery, DeliveryStatus } from '../domain/delivery.ts';
import type { AttemptEvaluation } from '../domain/evaluateAttempt.ts';
import type { Message } from '../domain/message.ts';
import { everyType } from '../domain/subscription.ts';

/** A delivery that this process has claimed and may attempt until the claim expires. */
export interface ClaimedDelivery {
  id: string;
  /** Increases with each claim. */
  claim: number;
  attempts: number;
  subscriptionId: number;
  url: string;
  eventId: string;
  body: string;
  secret: Buffer;
  previousSecret: Buffer | null;
}

interface ClaimLimits {
  total: number;
  /** Maximum concurrent attempts per receiver. A failing receiver gets one delivery at a time until it recovers. */
  perSubscription: number;
  claimMs: number;
}

const columns = `
  id::float8 AS id, event_id AS "eventId", event_type AS "eventType", status, attempts,
  last_status AS "lastStatus", last_error AS "lastError", next_attempt_at AS "nextAttemptAt",
  created_at AS "createdAt", delivered_at AS "deliveredAt"`;

const insertForAll = `
  INSERT INTO webhook_deliveries (subscription_id, event_id, event_type, body)
  SELECT s.id, message.event_id, message.type, message.body
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS message (event_id, type, body, place)
  JOIN webhook_subscriptions s ON s.is_active AND s.event_types && ARRAY[message.type, '${everyType}']
  ORDER BY place
  ON CONFLICT ON CONSTRAINT webhook_deliveries_once DO NOTHING
  RETURNING id`;

const insertForOne = `
  INSERT INTO webhook_deliveries (subscription_id, event_id, event_type, body) VALUES ($1, $2, $3, $4)
  RETURNING ${columns}`;

/*
 * A delivery is pending, in progress (claimed_until in the future) or settled. Replicas skip each other's claims. When
 * a process dies, its claims expire and the messages are sent again: delivery is at-least-once.
 *
 * Each receiver has a small number of slots across all replicas, filled oldest first, so that neither a slow receiver
 * nor a long backlog delays the others. (Replicas that claim at the same moment may together exceed the limit.)
 */
const claim = `
  WITH due AS (
    SELECT next.id
    FROM webhook_subscriptions s
    CROSS JOIN LATERAL (
      SELECT d.id, d.next_attempt_at FROM webhook_deliveries d
      WHERE d.subscription_id = s.id AND d.status = 'pending' AND d.next_attempt_at <= now()
        AND (d.claimed_until IS NULL OR d.claimed_until <= now())
      ORDER BY d.next_attempt_at
      LIMIT greatest(0, CASE WHEN s.failing_since IS NULL THEN $2::int ELSE 1 END - (
        SELECT count(*) FROM webhook_deliveries c WHERE c.subscription_id = s.id AND c.claimed_until > now()))
      FOR UPDATE SKIP LOCKED
    ) next
    WHERE s.is_active AND (s.paused_until IS NULL OR s.paused_until <= now())
    ORDER BY next.next_attempt_at
    LIMIT $1)
  UPDATE webhook_deliveries d
  SET claimed_until = now() + $3::float8 * interval '1 millisecond', claims = d.claims + 1
  FROM webhook_subscriptions s
  WHERE d.id IN (SELECT id FROM due) AND s.id = d.subscription_id
  RETURNING d.id, d.claims AS claim, d.attempts, d.subscription_id AS "subscriptionId", s.url,
    d.event_id AS "eventId", d.body, s.secret,
    CASE WHEN s.previous_secret_until > now() THEN s.previous_secret END AS "previousSecret"`;

const selectPending = `SELECT EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending') AS "isPending"`;

const settle = `
  UPDATE webhook_deliveries SET
    status = $3, attempts = attempts + 1, last_status = $4, last_error = $5, claimed_until = NULL,
    next_attempt_at = CASE WHEN $3 = 'pending' THEN now() + $6::float8 * interval '1 millisecond' END,
    delivered_at = CASE WHEN $3 = 'delivered' THEN now() END
  WHERE id = $1 AND claims = $2`;

// Incrementing `claims` invalidates an attempt in progress.
const resetToPending = `
  status = 'pending', attempts = 0, next_attempt_at = now(), delivered_at = NULL,
  claimed_until = NULL, claims = claims + 1`;
const replay = `
  UPDATE webhook_deliveries SET ${resetToPending} WHERE id = $2 AND subscription_id = $1 RETURNING id`;
const replayFailed = `
  UPDATE webhook_deliveries SET ${resetToPending} WHERE id IN (
    SELECT id FROM webhook_deliveries
    WHERE subscription_id = $1 AND status = 'failed' AND created_at >= $2 ORDER BY id LIMIT $3)
  RETURNING id`;

/** Stores deliveries of events to subscriptions. The table is also the queue of the delivery worker. */
export class DeliveryRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /**
   * Adds a delivery of each message for every active subscription to its type. Idempotent by event id. Returns the
   * number of new deliveries.
   */
  async addForSubscribers(messages: Message[], transaction: Transaction): Promise<number> {
    const values = [
      messages.map(({ eventId }) => eventId),
      messages.map(({ eventType }) => eventType),
      messages.map(({ body }) => body),
    ];
    return (await query(this.#db, { sql: insertForAll, values, transaction })).length;
  }

  async add(
    subscriptionId: number,
    { eventId, eventType, body }: Message,
    transaction: Transaction,
  ): Promise<Delivery> {
    const values = [subscriptionId, eventId, eventType, body];
    const [row] = await query<Delivery>(this.#db, { sql: insertForOne, values, transaction });
    if (!row) throw new Error('INSERT … RETURNING returned no row');
    return row;
  }

  /** Claims due deliveries for the duration of an attempt. */
  claim({ total, perSubscription, claimMs }: ClaimLimits): Promise<ClaimedDelivery[]> {
    return query<ClaimedDelivery>(this.#db, { sql: claim, values: [total, perSubscription, claimMs] });
  }

  /** Whether any delivery still needs an attempt, now or later. */
  async hasPending(): Promise<boolean> {
    const [row] = await query<{ isPending: boolean }>(this.#db, { sql: selectPending });
    return row?.isPending === true;
  }

  /** Records the result of an attempt, unless the delivery has since been claimed again or replayed. */
  async settle(
    { id, claim }: Pick<ClaimedDelivery, 'id' | 'claim'>,
    evaluation: AttemptEvaluation,
  ): Promise<void> {
    const { outcome, lastStatus, lastError, delayMs } = evaluation;
    const status: DeliveryStatus = outcome === 'again' ? 'pending' : outcome;
    await query(this.#db, { sql: settle, values: [id, claim, status, lastStatus, lastError, delayMs] });
  }

  /** Makes a delivery due again with a full set of attempts. Returns false if the subscription has no such delivery. */
  async replay(subscriptionId: number, id: number, transaction: Transaction): Promise<boolean> {
    const rows = await query(this.#db, { sql: replay, values: [subscriptionId, id], transaction });
    return rows.length > 0;
  }

  /** Makes at most `limit` failed deliveries created at or after `since` due again. Returns their number. */
  async replayFailed(
    subscriptionId: number,
    since: Date,
    limit: number,
    transaction: Transaction,
  ): Promise<number> {
    const values = [subscriptionId, since, limit];
    return (await query(this.#db, { sql: replayFailed, values, transaction })).length;
  }

  /** Returns one page of a subscription's deliveries, newest first. */
  async page(
    subscriptionId: number,
    status: DeliveryStatus | undefined,
    page: Page,
  ): Promise<{ deliveries: Delivery[]; total: number }> {
    const wanted = status === undefined ? [subscriptionId] : [subscriptionId, status];
    const listed = `
      FROM webhook_deliveries WHERE subscription_id = $1${status === undefined ? '' : ' AND status = $2'}`;
    const count = `SELECT count(*)::int AS total ${listed}`;
    const [row] = await query<{ total: number }>(this.#db, { sql: count, values: wanted });
    const total = row?.total ?? 0;
    const offset = offsetOf(page, total);
    if (offset === undefined) return { deliveries: [], total };
    // An unqualified `id` would refer to the result column, for which no index provides the order.
    const order = 'ORDER BY webhook_deliveries.id DESC';
    const sql = `SELECT ${columns} ${listed} ${order} LIMIT ${page.size} OFFSET ${offset}`;
    return { deliveries: await query<Delivery>(this.#db, { sql, values: wanted }), total };
  }
}
