import { queryPipelined } from '@gradeway/shared/database/pipelinedQuery';
import { query, writeAtOnce } from '@gradeway/shared/database/query';
import { type EventRows, insertEvents } from '@gradeway/shared/events/outbox';
import type { Sequelize, Transaction } from 'sequelize';
import type { Submission } from '../domain/submission.ts';

interface Grade {
  grade: number;
  totalGrade: number;
  gradedBy: number;
  gradedAt: Date;
  /** Of the submission afterwards. */
  revision: number;
}

/** A submission with the title of its quiz, which a grading publishes. */
export interface GradableSubmission extends Submission {
  quizTitle: string;
  /** Null for a grade without a rubric. */
  rubricRevision: number | null;
  /** The version of its row; every change makes another, also one that is no new revision. */
  version: string;
}

// The quiz may be deleted.
const find = `
  SELECT s.id, s.quiz_id AS "quizId", s.course_id AS "courseId", s.student_id AS "studentId",
    s.submitted_at AS "submittedAt", s.grade::float8 AS grade, s.total_grade::float8 AS "totalGrade",
    s.graded_by AS "gradedBy", s.graded_at AS "gradedAt", s.comment, s.revision, s.rubric_revision AS "rubricRevision",
    s.xmin::text AS version, q.title AS "quizTitle"
  FROM submissions s JOIN quizzes q ON q.id = s.quiz_id
  WHERE s.id = $1`;
const lock = `${find} FOR UPDATE OF s`;

// The comment of a grader in the queue stays.
const addGrading = `
  INSERT INTO gradings (submission_id, grade, total_grade, graded_by, graded_at, comment)
  SELECT id, $2::numeric, $3::numeric, $4::integer, $5::timestamptz, comment FROM submissions WHERE id = $1`;

// A grade that is given as such belongs to no rubric: the selection in it is cleared in the same change.
const setGrade = `
  UPDATE submissions
  SET grade = $2, total_grade = $3, graded_by = $4, graded_at = $5, revision = $6,
    selection = '{}', adjustment = 0, rubric_revision = NULL`;

// Two rows in one statement, because every statement is a round trip under the lock.
const overwriteGrade = `WITH graded AS (${setGrade} WHERE id = $1) ${addGrading}`;

/*
 * Writes grade, history and events in one statement, if the submission is unchanged since it was read ($7). The UPDATE waits for
 * the lock of another grading, an upload, a change of the rubric or an erasure; if that has changed the row, its version differs
 * and nothing is written.
 */
const gradeAtOnce = `
  WITH graded AS (
    ${setGrade} WHERE id = $1 AND xmin = $7::xid
    RETURNING id, grade, total_grade, graded_by, graded_at, comment),
  history AS (
    INSERT INTO gradings (submission_id, grade, total_grade, graded_by, graded_at, comment) SELECT * FROM graded),
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

  /** Overwrites the grade of a locked submission, clears its selection, and adds the grading to its history. */
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
   * Overwrites the grade of a submission, clears its selection, adds the grading to its history and its events to the outbox.
   * False when the submission has changed since it was read: nothing is written then.
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

const bindOf = (submissionId: number, grade: Omit<Grade, 'revision'>): unknown[] => [
  submissionId,
  grade.grade,
  grade.totalGrade,
  grade.gradedBy,
  grade.gradedAt,
];
