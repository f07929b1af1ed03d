import type { Sequelize, Transaction } from 'sequelize';
import { inTransaction } from '../database/connection.ts';
import { query } from '../database/query.ts';
import { unavailable } from '../errors/appError.ts';
import { userNameOf } from '../projections/userColumns.ts';
import type { GradingTables } from './gradingTables.ts';
import { inQueueOrder, type QueueOrder } from './queueOrder.ts';

/** A grader's temporary claim on a submission. */
export interface Claim {
  userId: number;
  /** Null for a deleted account and for one that is not loaded yet. */
  name: string | null;
  until: Date;
}

// The row admits one of several simultaneous claims of a free submission.
const upsert = (rows: string, isTaken: string) => `
  INSERT INTO claims AS c (submission_id, item_id, user_id, claimed_until) ${rows}
  ON CONFLICT (submission_id) DO UPDATE
    SET user_id = excluded.user_id, claimed_until = excluded.claimed_until
    WHERE c.user_id = excluded.user_id OR c.claimed_until <= statement_timestamp() ${isTaken}`;

/** SQL for the expiry of a claim made now. */
export const untilAfter = (milliseconds: string): string =>
  `statement_timestamp() + ${milliseconds}::float8 * interval '1 millisecond'`;

const present = `
  SELECT c.user_id AS "userId", ${userNameOf('p')} AS name, c.claimed_until AS until
  FROM claims c LEFT JOIN people p ON p.user_id = c.user_id
  WHERE c.submission_id = $1 AND c.claimed_until > statement_timestamp()`;
const release = 'DELETE FROM claims WHERE submission_id = $1 AND user_id = $2';
const endAll = `
  WITH ended AS (DELETE FROM answer_claims WHERE user_id = ANY($1)) DELETE FROM claims WHERE user_id = ANY($1)`;

const lockQueue = "SELECT pg_advisory_xact_lock(hashtext('next submission'), $1)";
const maxTries = 20;

/** The claims of graders. A claim is advisory: it only keeps `next` from returning a submission to two graders. */
export class ClaimRepository {
  readonly #db: Sequelize;
  readonly #ttlMs: number;
  readonly #sql: ReturnType<typeof statements>;

  constructor(sequelize: Sequelize, tables: GradingTables, ttlMs: number) {
    this.#db = sequelize;
    this.#ttlMs = ttlMs;
    this.#sql = statements(tables);
  }

  /** Claims an existing submission, or renews the claim. Returns the resulting claim, which may be another grader's. */
  async claim(submissionId: number, userId: number, takes: boolean): Promise<Claim> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const values = [submissionId, userId, this.#ttlMs, takes];
      await query(this.#db, { name: 'claim', sql: this.#sql.claim, values });
      const [claim] = await query<Claim>(this.#db, {
        name: 'present claim',
        sql: present,
        values: [submissionId],
      });
      // Another grader's claim may have ended between the two statements.
      if (claim) return claim;
    }
    throw unavailable('the claims on the submission end as fast as they are made');
  }

  /** Releases the claim of a grader, if there is one. */
  async release(submissionId: number, userId: number): Promise<void> {
    await query(this.#db, { name: 'release', sql: release, values: [submissionId, userId] });
  }

  /** Ends all claims of people, including those on answers. */
  async endAll(userIds: number[], transaction: Transaction | null): Promise<void> {
    await query(this.#db, { sql: endAll, values: [userIds], transaction });
  }

  /** Ends the claims of a person in a course. */
  async endInCourse(userId: number, courseId: number, transaction: Transaction | null): Promise<void> {
    await query(this.#db, { sql: this.#sql.endInCourse, values: [userId, courseId], transaction });
  }

  /**
   * Claims the next submission of an item and returns its id; undefined when no submission is left.
   *
   * A lock serializes the requests for one item until the claim is committed: each reads the claims of earlier requests, so
   * concurrent requests never receive the same submission. A claim or a grading through another endpoint may interfere.
   * In that case the claim row admits only one of the two, the lock on the submission waits for the grading, and a
   * request that loses searches again.
   */
  next(
    { id: itemId, order }: { id: number; order: QueueOrder },
    userId: number,
    skip: number[],
  ): Promise<number | undefined> {
    return inTransaction(this.#db, async (transaction) => {
      await query(this.#db, { sql: lockQueue, values: [itemId], transaction });
      for (let tries = 0; tries < maxTries; tries += 1) {
        const values = [itemId, userId, this.#ttlMs, skip];
        type Found = { candidate: number | null; claimed: number | null };
        const [found] = await query<Found>(this.#db, {
          name: `next submission: ${order}`,
          sql: this.#sql.next(order),
          values,
          transaction,
        });
        if (!found?.candidate) return undefined;
        if (found.claimed) return found.claimed;
      }
      throw unavailable('other graders claim every submission first');
    });
  }
}

function statements({ itemId, isUngraded, itemCourseId }: GradingTables) {
  const eligible = `${isUngraded} AND s.id <> ALL ($4::integer[])`;
  const first = (order: QueueOrder) => `ORDER BY ${inQueueOrder(order)} LIMIT 1 FOR NO KEY UPDATE OF s`;
  // One lookup in claims for each submission at the start of the queue. A join might read the whole queue first.
  const isFree =
    '(SELECT c.claimed_until > statement_timestamp() FROM claims c WHERE c.submission_id = s.id) IS NOT TRUE';
  const inCourse = `c.user_id = $1 AND s.id = c.submission_id AND ${itemCourseId} = $2`;
  const values = (from: string) => `SELECT id, $1::integer, $2::integer, ${untilAfter('$3')} FROM ${from}`;
  return {
    claim: upsert(
      `SELECT s.id, s.${itemId}, $2::integer, ${untilAfter('$3')} FROM submissions s WHERE s.id = $1`,
      'OR $4::boolean',
    ),
    endInCourse: `
      WITH ended AS (DELETE FROM answer_claims c USING submissions s WHERE ${inCourse})
      DELETE FROM claims c USING submissions s WHERE ${inCourse}`,
    next: (order: QueueOrder) => `
      WITH mine AS (
        SELECT s.id FROM claims c JOIN submissions s ON s.id = c.submission_id
        WHERE c.item_id = $1 AND c.user_id = $2 AND c.claimed_until > statement_timestamp() AND ${eligible}
        ${first(order)}),
      free AS (
        SELECT s.id FROM submissions s
        WHERE NOT EXISTS (SELECT FROM mine) AND s.${itemId} = $1 AND ${eligible} AND ${isFree}
        ${first(order)}),
      candidate AS (SELECT id FROM mine UNION ALL SELECT id FROM free),
      claimed AS (${upsert(values('candidate'), '')} RETURNING submission_id)
      SELECT (SELECT id FROM candidate) AS candidate, (SELECT submission_id FROM claimed) AS claimed`,
  };
}
