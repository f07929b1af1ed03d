import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize, Transaction } from 'sequelize';
import type { OpenSession } from '../domain/session.ts';
import type { Models, SessionModel } from './models.ts';

interface NewSession {
  userId: number;
  deviceId: number | null;
  tokenId: string;
  tokenExpiresAt: Date;
  changePassword: boolean;
}

/** Which of an account's open sessions are meant: all of them, unless one of these says less. */
export interface SessionChoice {
  userId: number;
  only?: number;
  except?: number;
  deviceId?: number;
}

/*
 * Ends sessions and puts them on the list of revocations. A token that was exchanged earlier is on the list by
 * itself, so the session's entry is needed until its present token expires; five minutes longer for clocks that
 * differ.
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

/** Sessions that have not ended. */
export class SessionRepository {
  readonly #sequelize: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#sequelize = sequelize;
    this.#models = models;
  }

  async create(values: NewSession, transaction: Transaction): Promise<OpenSession> {
    return toSession(await this.#models.Session.create(values, { transaction }));
  }

  async find(id: number): Promise<OpenSession | undefined> {
    const row = await this.#models.Session.findOne({ where: { id, endedAt: null } });
    return row ? toSession(row) : undefined;
  }

  async lock(id: number, transaction: Transaction): Promise<OpenSession | undefined> {
    const where = { id, endedAt: null };
    const row = await this.#models.Session.findOne({ where, transaction, lock: true });
    return row ? toSession(row) : undefined;
  }

  async update(
    id: number,
    values: Partial<Pick<OpenSession, 'tokenId' | 'tokenExpiresAt' | 'changePassword'>>,
    transaction: Transaction,
  ): Promise<void> {
    await this.#models.Session.update(values, { where: { id }, transaction });
  }

  /** Ends sessions; from the commit on no process accepts their tokens for longer than 2 s (D13). Returns their ids. */
  async end(choice: SessionChoice, transaction: Transaction): Promise<number[]> {
    const { userId, only = null, except = null, deviceId = null } = choice;
    const bind = [userId, only, except, deviceId];
    const rows = await selectRows<{ id: number }>(this.#sequelize, endAndRevoke, bind, transaction);
    return rows.map(({ id }) => id);
  }
}

function toSession(row: SessionModel): OpenSession {
  const { id, userId, tokenId, tokenExpiresAt, changePassword } = row.get();
  return { id, userId, tokenId, tokenExpiresAt, changePassword };
}
