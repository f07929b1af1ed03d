import type { Sequelize, Transaction } from 'sequelize';
import { inTransaction } from '../database/connection.ts';
import { query } from '../database/query.ts';
import { notFound, unavailable } from '../errors/appError.ts';
import { type Claim, untilAfter } from '../grading/claimRepository.ts';
import { inQueueOrder, ofAnswers, type QueueOrder } from '../grading/queueOrder.ts';
import type { Answer } from './answer.ts';
import type { AnswerRepository } from './answerRepository.ts';
import { isOfWholeClaim } from './wholeClaim.ts';

/** An answer, by its submission and question. */
export interface AnswerId {
  submissionId: number;
  questionId: number;
}

// The row admits one of several simultaneous claims of a free answer.
const upsert = (rows: string, isTaken: string) => `
  INSERT INTO answer_claims AS c (submission_id, question_id, item_id, user_id, claimed_until) ${rows}
  ON CONFLICT (submission_id, question_id) DO UPDATE
    SET user_id = excluded.user_id, claimed_until = excluded.claimed_until
    WHERE c.user_id = excluded.user_id OR c.claimed_until <= statement_timestamp() ${isTaken}
  RETURNING submission_id, question_id, claimed_until`;

const claimed = (target: string) => `
  SELECT a.submission_id, a.question_id, q.item_id, $2::integer, ${untilAfter('$3')}
  FROM answers a JOIN questions q ON q.id = a.question_id WHERE ${target} ORDER BY a.question_id`;

const claim = upsert(claimed('a.submission_id = $1 AND a.question_id = $5'), 'OR $4::boolean');
const claimWhole = `
  WITH claimed AS (${upsert(claimed(isOfWholeClaim('$1')), 'OR $4::boolean')})
  SELECT (SELECT count(*)::int FROM answers a WHERE ${isOfWholeClaim('$1')}) AS answers, count(*)::int AS claimed FROM claimed`;
const release = 'DELETE FROM answer_claims WHERE submission_id = $1 AND user_id = $2';
const releaseOne = `${release} AND question_id = $3`;
const releaseAll = `
  DELETE FROM answer_claims c USING unnest($1::integer[], $2::integer[]) AS given (submission_id, question_id)
  WHERE c.submission_id = given.submission_id AND c.question_id = given.question_id AND c.user_id = $3`;

const lockQueue = 'SELECT pg_advisory_xact_lock(hashtext($1), $2)';
const maxTries = 20;

/** A whole submission cannot be claimed, because another grader has one of its answers. */
class ClaimedByAnother extends Error {}

/** The claims of graders on answers; advisory, like claims on submissions (ClaimRepository). */
export class AnswerClaimRepository {
  readonly #db: Sequelize;
  readonly #answers: AnswerRepository;
  readonly #ttlMs: number;

  constructor(sequelize: Sequelize, answers: AnswerRepository, ttlMs: number) {
    this.#db = sequelize;
    this.#answers = answers;
    this.#ttlMs = ttlMs;
  }

  /**
   * Claims an answer, or renews the claim. Returns the resulting claim, which may be another grader's.
   * @throws AppError `not_found`
   */
  async claim({ submissionId, questionId }: AnswerId, userId: number, takes: boolean): Promise<Claim> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const values = [submissionId, userId, this.#ttlMs, takes, questionId];
      await query(this.#db, { name: 'claim of an answer', sql: claim, values });
      const answer = await this.#answers.find(submissionId, questionId);
      if (!answer) throw notFound();
      const present = claimOf(answer);
      // Another grader's claim may have ended between the two statements.
      if (present) return present;
    }
    throw unavailable('claims of the answer end as fast as they are made');
  }

  /**
   * Claims every ungraded answer of a submission, or every answer if all are graded. Returns the resulting claim. If
   * another grader has claimed one of them, returns that claim and claims nothing. Returns undefined for a submission
   * without questions.
   */
  async claimWhole(submissionId: number, userId: number, takes: boolean): Promise<Claim | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const isClaimed = await this.#tryWhole(submissionId, userId, takes);
      if (isClaimed === undefined) return undefined;
      const claims = (await this.#answers.ofSubmission(submissionId)).flatMap(
        (answer) => claimOf(answer) ?? [],
      );
      const present = claims.find((each) => (each.userId === userId) === isClaimed);
      if (present) return present;
    }
    throw unavailable('claims of the answers end as fast as they are made');
  }

  /** Returns whether every answer was claimed. If not, none is. */
  async #tryWhole(submissionId: number, userId: number, takes: boolean): Promise<boolean | undefined> {
    const values = [submissionId, userId, this.#ttlMs, takes];
    try {
      return await inTransaction(this.#db, async (transaction) => {
        type Counted = { answers: number; claimed: number };
        const statement = { name: 'claim of all answers', sql: claimWhole, values, transaction };
        const [counted] = await query<Counted>(this.#db, statement);
        if (!counted?.answers) return undefined;
        if (counted.claimed < counted.answers) throw new ClaimedByAnother();
        return true;
      });
    } catch (error) {
      if (error instanceof ClaimedByAnother) return false;
      throw error;
    }
  }

  /**
   * Releases the claim of a grader on an answer, if there is one; without a question, the claims on all answers of a
   * submission.
   */
  async release(submissionId: number, questionId: number | undefined, userId: number): Promise<void> {
    const statement =
      questionId === undefined
        ? { sql: release, values: [submissionId, userId] }
        : { sql: releaseOne, values: [submissionId, userId, questionId] };
    await query(this.#db, statement);
  }

  /** Releases the claims of a grader on answers that they have graded. */
  async releaseAll(answers: AnswerId[], userId: number, transaction: Transaction): Promise<void> {
    const submissionIds = answers.map(({ submissionId }) => submissionId);
    const questionIds = answers.map(({ questionId }) => questionId);
    const values = [submissionIds, questionIds, userId];
    await query(this.#db, { name: 'release of answers', sql: releaseAll, values, transaction });
  }

  /**
   * Claims the next answer to a question, or to any question of the item, and returns it; undefined when no answer is
   * left. The lock serializes the requests for one question, as in ClaimRepository.next for one item; requests for
   * different questions do not wait for each other. If requests from both queues compete for an answer, the claim row
   * admits one, and the other searches again.
   */
  next(
    { id: itemId, order }: { id: number; order: QueueOrder },
    questionId: number | undefined,
    userId: number,
    skip: number[],
  ): Promise<AnswerId | undefined> {
    const queue = questionId === undefined ? ['next answer of item', itemId] : ['next answer', questionId];
    return inTransaction(this.#db, async (transaction) => {
      await query(this.#db, { sql: lockQueue, values: queue, transaction });
      for (let tries = 0; tries < maxTries; tries += 1) {
        const [found] = await query<AnswerId & { isClaimed: boolean }>(this.#db, {
          name: `next answer: ${order}`,
          sql: next(order),
          values: [itemId, userId, this.#ttlMs, skip, questionId ?? null],
          transaction,
        });
        if (!found) return undefined;
        if (found.isClaimed) return { submissionId: found.submissionId, questionId: found.questionId };
      }
      throw unavailable('others claim every answer first');
    });
  }
}

const claimOf = ({ claimedBy, claimerName, claimedUntil }: Answer): Claim | undefined =>
  claimedBy === null || claimedUntil === null
    ? undefined
    : { userId: claimedBy, name: claimerName, until: claimedUntil };

const isEligible = 'a.is_waiting AND a.submission_id <> ALL ($4::integer[])';
// One lookup for each answer at the start of the queue. A join might read the whole queue first.
const isFree = `(
  SELECT c.claimed_until > statement_timestamp() FROM answer_claims c
  WHERE c.submission_id = a.submission_id AND c.question_id = a.question_id) IS NOT TRUE`;

/** Finds the first answer to each question in its index, and returns the one that is first in the queue. */
function next(order: QueueOrder): string {
  const inOrder = inQueueOrder(order, ofAnswers);
  const columns = 'a.submission_id, a.question_id, a.submitted_at, a.code';
  const asked = 'q.item_id = $1 AND ($5::integer IS NULL OR q.id = $5)';
  return `
    WITH mine AS (
      SELECT ${columns}, q.item_id
      FROM questions q JOIN answer_claims c ON c.question_id = q.id AND c.user_id = $2
        JOIN answers a ON a.submission_id = c.submission_id AND a.question_id = c.question_id
      WHERE ${asked} AND c.claimed_until > statement_timestamp() AND ${isEligible}
      ORDER BY ${inOrder}, q.place LIMIT 1),
    free AS (
      SELECT a.*, q.item_id
      FROM questions q CROSS JOIN LATERAL (
        SELECT ${columns} FROM answers a
        WHERE a.question_id = q.id AND ${isEligible} AND ${isFree} ORDER BY ${inOrder} LIMIT 1) AS a
      WHERE ${asked} AND NOT EXISTS (SELECT FROM mine)
      ORDER BY ${inOrder}, q.place LIMIT 1),
    candidate AS (SELECT * FROM mine UNION ALL SELECT * FROM free),
    -- Waits for a grading of the answer, and then finds that it no longer waits.
    locked AS (
      SELECT a.submission_id, a.question_id, candidate.item_id
      FROM candidate JOIN answers a ON a.submission_id = candidate.submission_id AND a.question_id = candidate.question_id
      WHERE a.is_waiting FOR NO KEY UPDATE OF a),
    claimed AS (${upsert(`SELECT submission_id, question_id, item_id, $2::integer, ${untilAfter('$3')} FROM locked`, '')})
    SELECT submission_id AS "submissionId", question_id AS "questionId", EXISTS (SELECT FROM claimed) AS "isClaimed"
    FROM candidate`;
}
