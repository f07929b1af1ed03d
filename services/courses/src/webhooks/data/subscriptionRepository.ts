import { selectRows } from '@gradeway/shared/database/connection';
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

// Another receiver, or the same once more: what we knew of it counts no longer.
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

// The secrets are gone at once, whenever the row goes.
const remove = `
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

/** What an attempt says about its receiver. */
export interface ReceiverFailure {
  id: number;
  /** Where it was sent to: it says nothing about the receiver that the subscription has by now. */
  url: string;
  gone: boolean;
  pauseMs: number;
}

/** Subscriptions that were not deleted. */
export class SubscriptionRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** `sealFor` encrypts the secret for the id that the subscription is going to have. */
  async create(
    { url, description, eventTypes, isActive }: SubscriptionProperties,
    sealFor: (id: number) => Promise<Buffer>,
  ): Promise<Subscription> {
    const next = "SELECT nextval(pg_get_serial_sequence('webhook_subscriptions', 'id'))::int AS id";
    const id = (await this.#one<{ id: number }>(next)).id;
    return this.#one<Subscription>(insert, [id, url, description, eventTypes, isActive, await sealFor(id)]);
  }

  async find(id: number): Promise<Subscription | undefined> {
    return this.#first(
      `SELECT ${columns} FROM webhook_subscriptions WHERE id = $1 AND deleted_at IS NULL`,
      id,
    );
  }

  /** The same, kept from other changes until the transaction ends. */
  async lock(id: number, transaction: Transaction): Promise<Subscription | undefined> {
    const sql = `
      SELECT ${columns} FROM webhook_subscriptions WHERE id = $1 AND deleted_at IS NULL FOR NO KEY UPDATE`;
    const [row] = await selectRows<Subscription>(this.#sequelize, sql, [id], transaction);
    return row;
  }

  async update(id: number, to: SubscriptionProperties, transaction: Transaction): Promise<Subscription> {
    const bind = [id, to.url, to.description, to.eventTypes, to.isActive];
    const [row] = await selectRows<Subscription>(this.#sequelize, update, bind, transaction);
    if (!row) throw new Error(`webhook ${id} vanished under its lock`);
    return row;
  }

  /** Makes another secret the one that signs; the present one signs as well for 24 hours more. */
  async rotateSecret(id: number, sealed: Buffer): Promise<Subscription | undefined> {
    return this.#first(rotate, id, sealed);
  }

  /** False when there is none. */
  async delete(id: number): Promise<boolean> {
    return (await selectRows(this.#sequelize, remove, [id])).length > 0;
  }

  /** One page of all, newest first. */
  async page(page: Page): Promise<{ subscriptions: Subscription[]; total: number }> {
    const listed = 'FROM webhook_subscriptions WHERE deleted_at IS NULL';
    const { total } = await this.#one<{ total: number }>(`SELECT count(*)::int AS total ${listed}`);
    const offset = offsetOf(page, total);
    if (offset === undefined) return { subscriptions: [], total };
    const sql = `SELECT ${columns} ${listed} ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2`;
    return {
      subscriptions: await selectRows<Subscription>(this.#sequelize, sql, [page.size, offset]),
      total,
    };
  }

  async recordSuccess(id: number, url: string): Promise<void> {
    await this.#sequelize.query(recordSuccess, { bind: [id, url] });
  }

  /** Returns why this was the end of the subscription, if it was. */
  async recordFailure(failure: ReceiverFailure, disableAfterMs: number): Promise<'gone' | 'failing' | null> {
    const { id, url, pauseMs, gone } = failure;
    const bind = [id, url, pauseMs, gone, disableAfterMs];
    const [row] = await selectRows<Pick<Subscription, 'disabledReason'>>(
      this.#sequelize,
      recordFailure,
      bind,
    );
    return row?.disabledReason ?? null;
  }

  async #first(sql: string, ...bind: unknown[]): Promise<Subscription | undefined> {
    const [row] = await selectRows<Subscription>(this.#sequelize, sql, bind);
    return row;
  }

  async #one<Row extends object>(sql: string, bind: unknown[] = []): Promise<Row> {
    const [row] = await selectRows<Row>(this.#sequelize, sql, bind);
    if (!row) throw new Error('a query that always answers did not');
    return row;
  }
}
