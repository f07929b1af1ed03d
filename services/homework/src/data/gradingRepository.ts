import { queryPipelined } from '@gradeway/shared/database/pipelinedQuery';
import { query, writeAtOnce } from '@gradeway/shared/database/query';
import { type EventRows, insertEvents } from '@gradeway/shared/events/outbox';
import type { Sequelize, Transaction } from 'sequelize';
import type { Submission } from '../domain/submission.ts';

interface Grade {
  rating: number;
  comment: string | null;
  gradedBy: number;
  gradedAt: Date;
  /** Of the submission afterwards. */
  revision: number;
}

/** A submission with title and course of its class, which a grading publishes. */
export interface GradableSubmission extends Submission {
  title: string;
  courseId: number;
  /** Null for a rating without a rubric. */
  rubricRevision: number | null;
  /** The version of its row; every change makes another, also one that is no new revision. */
  version: string;
}

// The class may be deleted.
const find = `
  SELECT s.id, s.class_id AS "classId", s.student_id AS "studentId", s.submitted_at AS "submittedAt", s.rating,
    s.comment, s.graded_by AS "gradedBy", s.graded_at AS "gradedAt", s.revision,
    s.rubric_revision AS "rubricRevision", s.xmin::text AS version, c.title, c.course_id AS "courseId"
  FROM submissions s JOIN classes c USING (class_id)
  WHERE s.id = $1`;
const lock = `${find} FOR UPDATE OF s`;

const addGrading = `
  INSERT INTO gradings (submission_id, rating, comment, graded_by, graded_at) VALUES ($1, $2, $3, $4, $5)`;

// A rating that is given as such belongs to no rubric: the selection in it is cleared in the same change.
const setRating = `
  UPDATE submissions
  SET rating = $2, comment = $3, graded_by = $4, graded_at = $5, revision = $6,
    selection = '{}', adjustment = 0, rubric_revision = NULL`;

// Two rows in one statement, because every statement is a round trip under the lock.
const overwriteGrade = `WITH graded AS (${setRating} WHERE id = $1) ${addGrading}`;

/*
 * Writes rating, history and events in one statement, if the submission is unchanged since it was read ($7). The UPDATE waits
 * for the lock of another grading, an upload, a change of the rubric or an erasure; if that has changed the row, its version
 * differs and nothing is written. An erasure is no new revision, but it clears the comment that this grading might keep.
 */
const gradeAtOnce = `
  WITH graded AS (
    ${setRating} WHERE id = $1 AND xmin = $7::xid
    RETURNING id, rating, comment, graded_by, graded_at),
  history AS (
    INSERT INTO gradings (submission_id, rating, comment, graded_by, graded_at) SELECT * FROM graded),
  published AS (${insertEvents({ parameters: ['$8', '$9', '$10'], change: 'graded' })})
  SELECT id FROM graded`;

/** Gradings of submissions. A grading is a hot path, so its statements are prepared. */
export class GradingRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** Finds a submission without a lock, for `overwriteAtOnce`. */
  async find(id: number): Promise<GradableSubmission | undefined> {
    const [row] = await queryPipelined<GradableSubmission>(this.#sequelize, {
      name: 'gradable submission',
      sql: find,
      values: [id],
    });
    return row;
  }

  /** Finds a submission and locks it until the end of the transaction. */
  async lock(id: number, transaction: Transaction): Promise<GradableSubmission | undefined> {
    const [row] = await query<GradableSubmission>(this.#sequelize, {
      name: 'submission to grade',
      sql: lock,
      values: [id],
      transaction,
    });
    return row;
  }

  /** Overwrites rating and comment of a locked submission, clears its selection, and adds the grading to its history. */
  async overwrite(submissionId: number, grade: Grade, transaction: Transaction): Promise<void> {
    const values = [...bindOf(submissionId, grade), grade.revision];
    await query(this.#sequelize, {
      name: 'grading with its grade',
      sql: overwriteGrade,
      values,
      transaction,
    });
  }

  /**
   * Overwrites rating and comment of a submission, clears its selection, adds the grading to its history and its events to the
   * outbox. False when the submission has changed since it was read: nothing is written then.
   */
  async overwriteAtOnce(
    { id, version }: GradableSubmission,
    grade: Grade,
    events: EventRows,
  ): Promise<boolean> {
    const values = [...bindOf(id, grade), grade.revision, version, ...events];
    const written = await writeAtOnce(this.#sequelize, { name: 'grading at once', sql: gradeAtOnce, values });
    return written !== undefined;
  }
}

const bindOf = (submissionId: number, { rating, comment, gradedBy, gradedAt }: Grade): unknown[] => [
  submissionId,
  rating,
  comment,
  gradedBy,
  gradedAt,
];
