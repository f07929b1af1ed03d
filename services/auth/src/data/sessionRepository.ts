import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import { fn, literal, Op, type Sequelize, type Transaction } from 'sequelize';
import type { ListedSession, Session, SessionSelector } from '../domain/session.ts';
import type { Models, SessionModel } from './models.ts';

interface NewSession {
  userId: number;
  deviceId: number | null;
  tokenId: string;
  tokenExpiresAt: Date;
  changePassword: boolean;
  reauthenticatedAt: Date | null;
}

/*
 * Ends sessions and adds them to the revocations. Previously refreshed tokens have their own entries, so a session's
 * entry is only needed until its current token expires, plus five minutes for clock skew.
 */
const endAndRevoke = `
  WITH ended AS (
    UPDATE sessions SET ended_at = now()
    WHERE user_id = $1 AND ended_at IS NULL
      AND ($2::integer IS NULL OR id = $2)
      AND ($3::integer IS NULL OR id <> $3)
      AND ($4::integer IS NULL OR device_id = $4)
    RETURNING id, token_expires_at)
  INSERT INTO revocations (session_id, expires_at)
  SELECT id, greatest(token_expires_at, now()) + interval '5 minutes' FROM ended
  RETURNING session_id AS id`;

// A session whose token can no longer be refreshed is over, even though nothing ended it.
const openOfUser = 'FROM sessions s WHERE s.user_id = $1 AND s.ended_at IS NULL AND s.token_expires_at > $2';
const countOpen = `SELECT count(*)::integer AS total ${openOfUser}`;
const selectOpen = `
  SELECT o.id, d.type AS "deviceType", d.name AS "deviceName", o.created_at AS "createdAt"
  FROM (SELECT * ${openOfUser} ORDER BY s.id DESC LIMIT $3 OFFSET $4) AS o LEFT JOIN devices d ON d.id = o.device_id
  ORDER BY o.id DESC`;

const tenMinutesAgo = literal("now() - interval '10 minutes'");

export class SessionRepository {
  readonly #db: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#db = sequelize;
    this.#models = models;
  }

  async create(values: NewSession, transaction: Transaction): Promise<Session> {
    return toSession(await this.#models.Session.create(values, { transaction }));
  }

  async find(id: number): Promise<Session | undefined> {
    const row = await this.#models.Session.findOne({ where: { id, endedAt: null } });
    return row ? toSession(row) : undefined;
  }

  async lock(id: number, transaction: Transaction): Promise<Session | undefined> {
    const where = { id, endedAt: null };
    const row = await this.#models.Session.findOne({ where, transaction, lock: true });
    return row ? toSession(row) : undefined;
  }

  async update(
    id: number,
    values: Partial<Omit<Session, 'id' | 'userId'>>,
    transaction: Transaction,
  ): Promise<void> {
    await this.#models.Session.update(values, { where: { id }, transaction });
  }

  /** Returns an account's open sessions whose token can still be refreshed, newest first. */
  async page(userId: number, refreshWindowMs: number, page: Page): Promise<SelectedPage<ListedSession>> {
    const values = [userId, new Date(Date.now() - refreshWindowMs)];
    const [counted] = await query<{ total: number }>(this.#db, { sql: countOpen, values });
    return selectPage(page, counted?.total ?? 0, (limit, offset) =>
      query<ListedSession>(this.#db, { sql: selectOpen, values: [...values, limit, offset] }),
    );
  }

  async markReauthenticated(id: number): Promise<void> {
    await this.#models.Session.update({ reauthenticatedAt: fn('now') }, { where: { id, endedAt: null } });
  }

  /** Whether the user proved their identity again in this session within the last ten minutes. */
  async isReauthenticated(id: number, transaction: Transaction | null = null): Promise<boolean> {
    const where = { id, endedAt: null, reauthenticatedAt: { [Op.gt]: tenMinutesAgo } };
    return (await this.#models.Session.count({ where, transaction })) === 1;
  }

  /** Ends sessions and returns their ids. Within 2 s of the commit, no process accepts their tokens (D13). */
  async end(selector: SessionSelector, transaction: Transaction): Promise<number[]> {
    const { userId, only = null, except = null, deviceId = null } = selector;
    const values = [userId, only, except, deviceId];
    const rows = await query<{ id: number }>(this.#db, { sql: endAndRevoke, values, transaction });
    return rows.map(({ id }) => id);
  }
}

function toSession(row: SessionModel): Session {
  const { id, userId, tokenId, tokenExpiresAt, changePassword } = row;
  const { replacedTokenId = null, replacedTokenUntil = null } = row;
  return { id, userId, tokenId, tokenExpiresAt, changePassword, replacedTokenId, replacedTokenUntil };
}
