import { randomUUID } from 'node:crypto';
import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { Erasure, PendingErasure } from '../domain/erasure.ts';

interface NewErasure {
  userId: number;
  keepsGrades: boolean;
  requestedBy: number;
  email: string | null;
}

const columns = 'user_id AS "userId", status, requested_at AS "requestedAt", completed_at AS "completedAt"';
const find = `SELECT ${columns} FROM erasures WHERE user_id = $1`;
const findAll = 'SELECT user_id AS "userId", keeps_grades AS "keepsGrades" FROM erasures';
const insert = `
  INSERT INTO erasures (user_id, keeps_grades, requested_by, email, sourced_id)
  VALUES ($1, $2, $3, $4, (SELECT sourced_id FROM user_sources WHERE user_id = $1))
  RETURNING ${columns}`;
const isDeleted = 'SELECT id FROM users WHERE id = $1 AND deleted_at IS NOT NULL AND reserved_by IS NULL';

// Longer than a busy process stalls, yet short enough for an erasure whose process died.
const lease = "now() + interval '20 seconds'";
const claim = `
  UPDATE erasures SET claimed_by = $1, claimed_until = ${lease}
  WHERE user_id = (
    SELECT user_id FROM erasures
    WHERE status = 'pending' AND next_attempt_at <= now() AND (claimed_until IS NULL OR claimed_until < now())
    ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING user_id AS "userId", keeps_grades AS "keepsGrades", coalesce(email, '') AS email,
    coalesce(sourced_id, '') AS "sourcedId", confirmed`;
const renew = `
  UPDATE erasures SET claimed_until = ${lease} WHERE user_id = $1 AND claimed_by = $2 RETURNING user_id`;
const confirm = `
  UPDATE erasures SET confirmed = array_append(confirmed, $2)
  WHERE user_id = $1 AND NOT confirmed @> ARRAY[$2]`;
const finish = `
  UPDATE erasures SET status = 'done', completed_at = now(), email = NULL, sourced_id = NULL,
    claimed_by = NULL, claimed_until = NULL
  WHERE user_id = $1 AND status = 'pending'`;
const postpone = `
  UPDATE erasures SET next_attempt_at = now() + interval '5 seconds', claimed_by = NULL, claimed_until = NULL
  WHERE user_id = $1 AND claimed_by = $2`;

/** The requested erasures. One process at a time works on each, under a lease. */
export class ErasureRepository {
  readonly #db: Sequelize;
  readonly #holder = randomUUID();

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async find(userId: number, transaction?: Transaction): Promise<Erasure | undefined> {
    const [erasure] = await query<Erasure>(this.#db, { sql: find, values: [userId], transaction });
    return erasure;
  }

  findAll(): Promise<Pick<PendingErasure, 'userId' | 'keepsGrades'>[]> {
    return query(this.#db, { sql: findAll });
  }

  /** Whether the account existed and was deleted. */
  async isAccountDeleted(userId: number, transaction: Transaction): Promise<boolean> {
    return (await query(this.#db, { sql: isDeleted, values: [userId], transaction })).length === 1;
  }

  async add(erasure: NewErasure, transaction: Transaction): Promise<Erasure> {
    const { userId, keepsGrades, requestedBy, email } = erasure;
    const values = [userId, keepsGrades, requestedBy, email];
    const [added] = await query<Erasure>(this.#db, { sql: insert, values, transaction });
    if (!added) throw new Error('INSERT … RETURNING returned no row');
    return added;
  }

  /** Claims the next due erasure. */
  async claim(): Promise<PendingErasure | undefined> {
    const [erasure] = await query<PendingErasure>(this.#db, { sql: claim, values: [this.#holder] });
    return erasure;
  }

  /** Extends the lease. Returns false if another process has taken over. */
  async renew(userId: number): Promise<boolean> {
    return (await query(this.#db, { sql: renew, values: [userId, this.#holder] })).length === 1;
  }

  async confirm(userId: number, service: string): Promise<void> {
    await query(this.#db, { sql: confirm, values: [userId, service] });
  }

  /** Marks an erasure as done and deletes the data used to find the person. */
  async finish(userId: number): Promise<void> {
    await query(this.#db, { sql: finish, values: [userId] });
  }

  /** Releases the lease until the next attempt. */
  async postpone(userId: number): Promise<void> {
    await query(this.#db, { sql: postpone, values: [userId, this.#holder] });
  }
}
