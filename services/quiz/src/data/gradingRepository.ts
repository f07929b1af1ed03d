import { selectPrepared, writeAtOnce } from '@gradeway/shared/database/preparedQuery';
import { type EventRows, insertEvents } from '@gradeway/shared/events/outbox';
import type { Sequelize, Transaction } from 'sequelize';
import type { Submission } from '../domain/submission.ts';

interface Grade {
  grade: number;
  totalGrade: number;
  gradedBy: number;
  gradedAt: Date;
}

/** A submission with the title of its quiz, which a grading publishes. */
export interface GradableSubmission extends Submission {
  quizTitle: string;
  /** The version of its row; every change makes another, also one that is no new revision. */
  version: string;
}

// The quiz may be deleted.
const find = `
  SELECT s.id, s.quiz_id AS "quizId", s.course_id AS "courseId", s.student_id AS "studentId",
    s.submitted_at AS "submittedAt", s.grade::float8 AS grade, s.total_grade::float8 AS "totalGrade",
    s.graded_by AS "gradedBy", s.graded_at AS "gradedAt", s.revision, s.xmin::text AS version,
    q.title AS "quizTitle"
  FROM submissions s JOIN quizzes q ON q.id = s.quiz_id
  WHERE s.id = $1`;
const lock = `${find} FOR UPDATE OF s`;

const addGrading = `
  INSERT INTO gradings (submission_id, grade, total_grade, graded_by, graded_at) VALUES ($1, $2, $3, $4, $5)`;

// Two rows in one statement, because every statement is a round trip under the lock.
const overwriteGrade = `
  WITH graded AS (
    UPDATE submissions
    SET grade = $2, total_grade = $3, graded_by = $4, graded_at = $5, revision = revision + 1
    WHERE id = $1)
  ${addGrading}`;

/*
 * Grade, history and events in one statement, for a submission that is still as it was read ($6). The UPDATE waits for the lock
 * of another grading, an upload or an erasure; when that has changed the row, its version is another one and nothing is
 * written.
 */
const gradeAtOnce = `
  WITH graded AS (
    UPDATE submissions
    SET grade = $2, total_grade = $3, graded_by = $4, graded_at = $5, revision = revision + 1
    WHERE id = $1 AND xmin = $6::xid
    RETURNING id, grade, total_grade, graded_by, graded_at),
  history AS (
    INSERT INTO gradings (submission_id, grade, total_grade, graded_by, graded_at) SELECT * FROM graded),
  published AS (${insertEvents({ parameters: ['$7', '$8'], change: 'graded' })})
  SELECT id FROM graded`;

/** Gradings of submissions. A grading is a hot path, so its statements are prepared. */
export class GradingRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** Finds a submission without a lock, for `overwriteAtOnce`. */
  async find(id: number): Promise<GradableSubmission | undefined> {
    const [row] = await selectPrepared<GradableSubmission>(this.#sequelize, 'gradable submission', find, [
      id,
    ]);
    return row;
  }

  /** Finds a submission and locks it until the end of the transaction. */
  async lock(id: number, transaction: Transaction): Promise<GradableSubmission | undefined> {
    const [row] = await selectPrepared<GradableSubmission>(
      this.#sequelize,
      'submission to grade',
      lock,
      [id],
      transaction,
    );
    return row;
  }

  /** Adds a grading that leaves the grade as it is to the history of a submission. */
  async add(submissionId: number, grade: Grade, transaction: Transaction): Promise<void> {
    await selectPrepared(this.#sequelize, 'grading', addGrading, bindOf(submissionId, grade), transaction);
  }

  /** Overwrites the grade of a locked submission, and adds the grading to its history. */
  async overwrite(submissionId: number, grade: Grade, transaction: Transaction): Promise<void> {
    const bind = bindOf(submissionId, grade);
    await selectPrepared(this.#sequelize, 'grading with its grade', overwriteGrade, bind, transaction);
  }

  /**
   * Overwrites the grade of a submission that is as it was read, adds the grading to its history and its events to the
   * outbox. False when the submission has changed since: nothing is written then.
   */
  async overwriteAtOnce(
    { id, version }: GradableSubmission,
    grade: Grade,
    events: EventRows,
  ): Promise<boolean> {
    const bind = [...bindOf(id, grade), version, ...events];
    return (await writeAtOnce(this.#sequelize, 'grading at once', gradeAtOnce, bind)) !== undefined;
  }
}

const bindOf = (submissionId: number, { grade, totalGrade, gradedBy, gradedAt }: Grade): unknown[] => [
  submissionId,
  grade,
  totalGrade,
  gradedBy,
  gradedAt,
];
