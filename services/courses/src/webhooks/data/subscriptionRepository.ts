import { query } from '@gradeway/shared/database/query';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Subscription, SubscriptionProperties } from '../domain/subscription.ts';

const columns = `
  id, url, description, event_types AS "eventTypes", is_active AS "isActive", disabled_reason AS "disabledReason",
  failing_since AS "failingSince", created_at AS "createdAt",
  CASE WHEN previous_secret_until > now() THEN previous_secret_until END AS "previousSecretUntil"`;

const insert = `
  INSERT INTO webhook_subscriptions (id, url, description, event_types, is_active, secret)
  OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6)
  RETURNING ${columns}`;

// A change of `url` or `is_active` resets the health of the receiver.
const update = `
  UPDATE webhook_subscriptions SET
    url = $2, description = $3, event_types = $4, is_active = $5,
    disabled_reason = CASE WHEN is_active = $5 THEN disabled_reason END,
    failing_since = CASE WHEN url = $2 AND is_active = $5 THEN failing_since END,
    paused_until = CASE WHEN url = $2 AND is_active = $5 THEN paused_until END
  WHERE id = $1
  RETURNING ${columns}`;

const rotate = `
  UPDATE webhook_subscriptions SET
    previous_secret = secret, previous_secret_until = now() + interval '24 hours', secret = $2
  WHERE id = $1 AND deleted_at IS NULL
  RETURNING ${columns}`;

// The secrets are erased immediately; the row itself is purged later.
const markDeleted = `
  UPDATE webhook_subscriptions SET
    deleted_at = now(), is_active = false, secret = '', previous_secret = NULL, previous_secret_until = NULL
  WHERE id = $1 AND deleted_at IS NULL
  RETURNING id`;

const recordSuccess = `
  UPDATE webhook_subscriptions SET failing_since = NULL, paused_until = NULL
  WHERE id = $1 AND url = $2 AND failing_since IS NOT NULL`;

const failingTooLong = "(failing_since < now() - $5::float8 * interval '1 millisecond')";
const recordFailure = `
  UPDATE webhook_subscriptions SET
    failing_since = coalesce(failing_since, now()),
    paused_until = greatest(paused_until, now() + $3::float8 * interval '1 millisecond'),
    is_active = NOT ($4 OR coalesce(${failingTooLong}, false)),
    disabled_reason = CASE WHEN $4 THEN 'gone' WHEN ${failingTooLong} THEN 'failing' END
  WHERE id = $1 AND url = $2 AND is_active AND deleted_at IS NULL
  RETURNING disabled_reason AS "disabledReason"`;

const selectSecrets = `
  SELECT id, secret, previous_secret AS "previousSecret" FROM webhook_subscriptions
  WHERE deleted_at IS NULL ORDER BY id`;

// If the secret has been rotated since it was read, it is now in previous_secret.
const replaceSecrets = `
  UPDATE webhook_subscriptions SET secret = $3, previous_secret = $4
  WHERE id = $1 AND secret = $2 AND deleted_at IS NULL RETURNING id`;

interface EncryptedSecrets {
  id: number;
  secret: Buffer;
  previousSecret: Buffer | null;
}

/** The parts of a failed attempt that concern the receiver. */
interface ReceiverFailure {
  id: number;
  /** The URL that the message was sent to. If it has changed since, the failure does not count against the new one. */
  url: string;
  gone: boolean;
  pauseMs: number;
}

/** Subscriptions, except deleted ones. */
export class SubscriptionRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Reserves the id of a new subscription, because its secret is encrypted for this id. */
  async nextId(): Promise<number> {
    const next = "SELECT nextval(pg_get_serial_sequence('webhook_subscriptions', 'id'))::int AS id";
    return (await this.#selectOne<{ id: number }>(next)).id;
  }

  async create(
    id: number,
    { url, description, eventTypes, isActive }: SubscriptionProperties,
    encryptedSecret: Buffer,
    transaction: Transaction,
  ): Promise<Subscription> {
    const values = [id, url, description, eventTypes, isActive, encryptedSecret];
    return this.#selectOne<Subscription>(insert, values, transaction);
  }

  async find(id: number): Promise<Subscription | undefined> {
    return this.#selectFirst(
      `SELECT ${columns} FROM webhook_subscriptions WHERE id = $1 AND deleted_at IS NULL`,
      id,
    );
  }

  /** Finds a subscription and locks it until the end of the transaction. */
  async lock(id: number, transaction: Transaction): Promise<Subscription | undefined> {
    const sql = `
      SELECT ${columns} FROM webhook_subscriptions WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`;
    const [row] = await query<Subscription>(this.#db, { sql, values: [id], transaction });
    return row;
  }

  async update(id: number, to: SubscriptionProperties, transaction: Transaction): Promise<Subscription> {
    const values = [id, to.url, to.description, to.eventTypes, to.isActive];
    const [row] = await query<Subscription>(this.#db, { sql: update, values, transaction });
    if (!row) throw new Error(`webhook ${id} disappeared while locked`);
    return row;
  }

  /** Replaces the secret. The previous one still signs for 24 hours. */
  async rotateSecret(
    id: number,
    encrypted: Buffer,
    transaction: Transaction,
  ): Promise<Subscription | undefined> {
    const [row] = await query<Subscription>(this.#db, { sql: rotate, values: [id, encrypted], transaction });
    return row;
  }

  /** The encrypted secrets of all subscriptions. */
  encryptedSecrets(): Promise<EncryptedSecrets[]> {
    return query<EncryptedSecrets>(this.#db, { sql: selectSecrets });
  }

  /** Replaces the encrypted secrets. Returns false if they no longer match `from`, or the subscription was deleted. */
  async replaceSecrets(from: EncryptedSecrets, secret: Buffer, previous: Buffer | null): Promise<boolean> {
    const values = [from.id, from.secret, secret, previous];
    if ((await query(this.#db, { sql: replaceSecrets, values })).length > 0) return true;
    return (await this.find(from.id)) === undefined;
  }

  /** Returns false if the subscription does not exist. */
  async delete(id: number, transaction: Transaction): Promise<boolean> {
    return (await query(this.#db, { sql: markDeleted, values: [id], transaction })).length > 0;
  }

  /** Returns one page of all subscriptions, newest first. */
  async page(page: Page): Promise<{ subscriptions: Subscription[]; total: number }> {
    const listed = 'FROM webhook_subscriptions WHERE deleted_at IS NULL';
    const { total } = await this.#selectOne<{ total: number }>(`SELECT count(*)::int AS total ${listed}`);
    const offset = offsetOf(page, total);
    if (offset === undefined) return { subscriptions: [], total };
    const sql = `SELECT ${columns} ${listed} ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2`;
    return {
      subscriptions: await query<Subscription>(this.#db, { sql, values: [page.size, offset] }),
      total,
    };
  }

  async recordSuccess(id: number, url: string): Promise<void> {
    await query(this.#db, { sql: recordSuccess, values: [id, url] });
  }

  /** Returns the reason if the failure disables the subscription, else null. */
  async recordFailure(failure: ReceiverFailure, disableAfterMs: number): Promise<'gone' | 'failing' | null> {
    const { id, url, pauseMs, gone } = failure;
    const values = [id, url, pauseMs, gone, disableAfterMs];
    const [row] = await query<Pick<Subscription, 'disabledReason'>>(this.#db, { sql: recordFailure, values });
    return row?.disabledReason ?? null;
  }

  async #selectFirst(sql: string, ...values: unknown[]): Promise<Subscription | undefined> {
    const [row] = await query<Subscription>(this.#db, { sql, values });
    return row;
  }

  async #selectOne<Row extends object>(
    sql: string,
    values: unknown[] = [],
    transaction?: Transaction,
  ): Promise<Row> {
    const [row] = await query<Row>(this.#db, { sql, values, transaction });
    if (!row) throw new Error('a query that returns exactly one row returned none');
    return row;
  }
}
