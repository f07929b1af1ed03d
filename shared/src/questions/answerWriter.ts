import type { Sequelize, Transaction } from 'sequelize';
import { batches } from '../database/batches.ts';
import { query } from '../database/query.ts';
import { fromPoints, type Points } from '../grading/points.ts';

/** A change of an answer. */
export interface AnswerChange {
  submissionId: number;
  questionId: number;
  /** Null makes it ungraded; all other fields of the grading are then empty too. */
  points: Points | null;
  comment: string | null;
  selection: number[];
  adjustment: Points;
  rubricRevision: number | null;
  gradedBy: number | null;
  gradedAt: Date | null;
  /** Whether the points, the comment or the grader change, which creates a new revision and a history entry. */
  isChanged: boolean;
}

/**
 * The author, time and reason of a change to answers, for the history. `review` for a grading while a review is open.
 */
export interface ChangedBy {
  userId: number;
  at: Date;
  reason: 'graded' | 'rubric' | 'removed';
}

/** What makes an answer ungraded. */
export const ungraded = {
  points: null,
  comment: null,
  selection: [] as number[],
  adjustment: 0,
  rubricRevision: null,
  gradedBy: null,
  gradedAt: null,
} satisfies Partial<AnswerChange>;

/**
 * Writes answers. The caller locks the submissions first, and settles them afterwards (submissionSettler.ts): every change of
 * points also replaces the version of the submission's row.
 */
export class AnswerWriter {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /**
   * Locks submissions against uploads and all gradings until the end of the transaction.
   * @param ids in ascending order, the order in which every change takes these locks
   */
  async lockSubmissions(ids: number[], transaction: Transaction): Promise<void> {
    for (const batch of batches(ids)) await query(this.#db, { sql: lock, values: [batch], transaction });
  }

  /** Writes changes with their history. The other answers of these submissions must be graded, too. */
  async write(
    changes: AnswerChange[],
    { userId, at, reason }: ChangedBy,
    transaction: Transaction,
  ): Promise<void> {
    const given = changes.map(({ points, adjustment, ...change }) => ({
      ...change,
      points: points === null ? null : fromPoints(points),
      adjustment: fromPoints(adjustment),
    }));
    const values = [JSON.stringify(given), userId, at, reason];
    await query(this.#db, { name: 'answers', sql: write, values, transaction });
    const ids = [...new Set(changes.map(({ submissionId }) => submissionId))];
    await query(this.#db, { name: 'waiting answers', sql: waitForRest, values: [ids], transaction });
  }

  /**
   * Makes all answers of a submission ungraded, with entries in the history.
   * @param isWaiting whether they have to be graded again; false if the submission is graded as a whole
   */
  async reset(
    submissionId: number,
    { userId, at }: Omit<ChangedBy, 'reason'>,
    isWaiting: boolean,
    transaction: Transaction,
  ): Promise<void> {
    await query(this.#db, { sql: reset, values: [submissionId, userId, at, isWaiting], transaction });
  }
}

const lock = 'SELECT id FROM submissions WHERE id = ANY($1::integer[]) ORDER BY id FOR NO KEY UPDATE';

const write = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb) AS each (
      "submissionId" integer, "questionId" integer, points numeric, comment text, selection integer[],
      adjustment numeric, "rubricRevision" integer, "gradedBy" integer, "gradedAt" timestamptz, "isChanged" boolean)),
  changed AS (
    UPDATE answers a
    SET points = given.points, comment = given.comment, selection = given.selection, adjustment = given.adjustment,
      rubric_revision = given."rubricRevision", graded_by = given."gradedBy", graded_at = given."gradedAt",
      revision = a.revision + given."isChanged"::integer, is_waiting = given.points IS NULL
    FROM given WHERE a.submission_id = given."submissionId" AND a.question_id = given."questionId"
    RETURNING a.*, given."isChanged")
  INSERT INTO answer_gradings (
    submission_id, question_id, points, max_points, comment, selection, adjustment, rubric_revision, reason, graded_by,
    graded_at)
  SELECT c.submission_id, c.question_id, c.points, q.max_points, c.comment, c.selection, c.adjustment, c.rubric_revision,
    CASE WHEN $4::text = 'graded' AND EXISTS (
      SELECT FROM reviews r
      WHERE r.submission_id = c.submission_id AND coalesce(r.question_id, c.question_id) = c.question_id AND r.state = 'open')
    THEN 'review' ELSE $4::text END, $2::integer, $3::timestamptz
  FROM changed c JOIN questions q ON q.id = c.question_id
  WHERE c."isChanged" ORDER BY c.submission_id, q.place`;

const waitForRest = `
  UPDATE answers SET is_waiting = true
  WHERE submission_id = ANY($1::integer[]) AND points IS NULL AND NOT is_waiting`;

const reset = `
  WITH removed AS (
    INSERT INTO answer_gradings (submission_id, question_id, max_points, reason, graded_by, graded_at)
    SELECT a.submission_id, a.question_id, q.max_points, 'removed', $2::integer, $3::timestamptz
    FROM answers a JOIN questions q ON q.id = a.question_id
    WHERE a.submission_id = $1 AND a.points IS NOT NULL ORDER BY q.place)
  UPDATE answers
  SET revision = revision + (points IS NOT NULL)::integer, is_waiting = $4::boolean, points = NULL, comment = NULL,
    selection = '{}', adjustment = 0, rubric_revision = NULL, graded_by = NULL, graded_at = NULL
  WHERE submission_id = $1 AND (points IS NOT NULL OR is_waiting <> $4::boolean)`;
