import { type ListReads, primaryReads } from '@gradeway/shared/database/listReads';
import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import { updateLocked } from '@gradeway/shared/database/updateLocked';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Page } from '@gradeway/shared/http/pagination';
import { areGradesVisible } from '@gradeway/shared/items/item';
import {
  joinTimes,
  releaseColumns,
  type ShownGrade,
  type TimedWork,
  timeColumns,
} from '@gradeway/shared/items/submittedWork';
import { type ItemVisibility, visibilityColumns } from '@gradeway/shared/items/visibility';
import { isErased } from '@gradeway/shared/personalData/erasedPeople';
import { createUnlessErased } from '@gradeway/shared/submissions/createUnlessErased';
import type { Sequelize, Transaction } from 'sequelize';
import type { AttemptStart, StoredSheet } from '../domain/answerSheet.ts';
import type { Submission, SubmittedSheet } from '../domain/submission.ts';
import { gradingTables } from './gradingTables.ts';
import type { Models, SubmissionModel } from './models.ts';

/** A submission as its student sees it: ungraded while the grade is hidden. */
export interface OwnSubmission extends AttemptStart, TimedWork, ShownGrade {
  id: number;
  quizId: number;
  quizTitle: string;
  grade: number | null;
  totalGrade: number | null;
  fileId: number | null;
}

type EverGraded = Submission & ItemVisibility & { quizTitle: string };

// The lock waits for a change that moves the quiz to another course or makes it a draft, which is rejected once there is a
// submission (changeQuiz.ts).
const create = `
  WITH created AS (
    INSERT INTO submissions
      (quiz_id, course_id, class_id, student_id, file_id, start_at, duration_minutes, submitted_at, recorded_start_at,
        flags, submitted_by, state_revision)
    SELECT $1::integer, $2::integer, $3::integer, $4::integer, $5::integer, $6::timestamptz, $7::numeric,
      $8::timestamptz, $9::timestamptz, $10::text[], $11::integer, 1
    FROM quizzes WHERE id = $1 AND course_id = $2 AND published AND NOT ${isErased('$4')}
    FOR KEY SHARE OF quizzes
    ON CONFLICT ON CONSTRAINT submissions_one_per_student DO NOTHING
    RETURNING id)
  SELECT (SELECT id FROM created) AS id, ${isErased('$4')} AS "isErased"`;

const insertReplacedSheet = `
  INSERT INTO replaced_sheets
    (submission_id, file_id, submitted_at, start_at, duration_minutes, recorded_start_at, flags)`;
const insertGivenSheet = `${insertReplacedSheet} VALUES ($1, $2, $3, $4, $5, $6, $7)`;
const insertCurrentSheet = `${insertReplacedSheet}
  SELECT id, file_id, submitted_at, start_at, duration_minutes, recorded_start_at, flags
  FROM submissions WHERE id = $1 AND file_id IS NOT NULL`;

const olderReplaced = `
  SELECT r.file_id AS id FROM replaced_sheets r JOIN files f ON f.id = r.file_id
  WHERE r.submission_id = $1 AND f.reduced_at IS NULL
  ORDER BY r.submitted_at DESC, r.id DESC OFFSET $2`;

const attemptStart = `s.start_at AS "startAt", s.recorded_start_at AS "recordedStartAt", s.flags`;
const attemptStartOf = `SELECT ${attemptStart} FROM submissions s WHERE s.id = $1`;

const attemptOf = `
  SELECT start_at AS "startAt", duration_minutes::float8 AS "durationMinutes" FROM submissions WHERE id = $1`;

const countOfStudent = 'SELECT count(*)::integer AS total FROM submissions WHERE student_id = $1';
const own = `
  SELECT s.id, s.quiz_id AS "quizId", q.title AS "quizTitle", s.grade::float8 AS grade,
    s.total_grade::float8 AS "totalGrade", s.file_id AS "fileId", s.submitted_at AS "submittedAt",
    ${attemptStart}, ${timeColumns}, ${releaseColumns}
  FROM submissions s JOIN quizzes q ON q.id = s.quiz_id ${joinTimes(gradingTables)}
  WHERE s.student_id = $1`;
const oneOfStudent = `${own} AND s.id = $2`;
const ofStudent = `${own}
  ORDER BY s.submitted_at DESC, s.id DESC LIMIT $2 OFFSET $3`;

const everGraded = `
  SELECT s.id, s.quiz_id AS "quizId", s.course_id AS "courseId", s.student_id AS "studentId",
    s.submitted_at AS "submittedAt", s.grade::float8 AS grade, s.total_grade::float8 AS "totalGrade",
    s.graded_by AS "gradedBy", s.graded_at AS "gradedAt", s.comment, s.revision, item.title AS "quizTitle",
    ${visibilityColumns}
  FROM submissions s JOIN quizzes item ON item.id = s.quiz_id
  WHERE s.id > $1 AND (s.grade IS NOT NULL OR s.revision > 0)
  ORDER BY s.id LIMIT $2`;

/** Submissions as use cases read and change them. */
export class SubmissionRepository {
  readonly #db: Sequelize;
  readonly #models: Models;
  readonly #lists: ListReads;

  constructor(sequelize: Sequelize, models: Models, lists: ListReads = primaryReads(sequelize)) {
    this.#db = sequelize;
    this.#models = models;
    this.#lists = lists;
  }

  /**
   * Creates the student's only submission for a quiz from this sheet; returns undefined if there already is one, or if
   * the quiz has moved to another course. Waits for a concurrent transaction that is creating it. Must follow the
   * statement that locked the student (`lockShared`).
   * @throws AppError `unauthenticated` when the student was erased
   */
  async create(
    sheet: StoredSheet,
    fileId: number | null,
    transaction: Transaction,
  ): Promise<SubmittedSheet | undefined> {
    const { quizId, courseId, classId, studentId, startAt, durationMinutes, receivedAt, submittedBy } = sheet;
    const answer = [quizId, courseId, classId, studentId, fileId, startAt, durationMinutes, receivedAt];
    const values = [...answer, sheet.recordedStartAt, sheet.flags, submittedBy];
    const id = await createUnlessErased(this.#db, create, values, transaction);
    if (id === undefined) return undefined;
    const pending = {
      grade: null,
      totalGrade: null,
      gradedBy: null,
      gradedAt: null,
      comment: null,
      revision: 0,
    };
    const state = { submittedBy, lateWaived: false, stateRevision: 1 };
    return { id, quizId, courseId, studentId, submittedAt: receivedAt, ...pending, ...state };
  }

  /**
   * Locks the submission of a student for a quiz.
   * @throws AppError `not_found` if it does not exist, because the quiz has moved to another course since the access
   * check
   */
  async lockOfStudent(
    { quizId, studentId }: Pick<Submission, 'quizId' | 'studentId'>,
    transaction: Transaction,
  ): Promise<SubmittedSheet> {
    const where = { quizId, studentId };
    const row = await this.#models.Submission.findOne({ where, transaction, lock: true });
    if (!row) throw notFound();
    return toSubmission(row);
  }

  /** Moves the current sheet to the replaced sheets and stores a later one in its place. */
  async replaceSheet(
    { id, stateRevision }: Pick<SubmittedSheet, 'id' | 'stateRevision'>,
    sheet: StoredSheet,
    fileId: number | null,
    transaction: Transaction,
  ): Promise<SubmittedSheet> {
    await query(this.#db, { sql: insertCurrentSheet, values: [id], transaction });
    const { classId, startAt, durationMinutes, recordedStartAt, flags, receivedAt, submittedBy } = sheet;
    const attempt = { startAt, durationMinutes, recordedStartAt, flags };
    const received = { submittedAt: receivedAt, submittedBy, stateRevision: stateRevision + 1 };
    return this.#update(id, { classId, fileId, ...attempt, ...received }, transaction);
  }

  /** Stores a sheet as replaced, because the current sheet was received later. */
  async addReplacedSheet(
    id: number,
    sheet: StoredSheet,
    fileId: number,
    transaction: Transaction,
  ): Promise<void> {
    const { receivedAt, startAt, durationMinutes, recordedStartAt, flags } = sheet;
    const values = [id, fileId, receivedAt, startAt, durationMinutes, recordedStartAt, flags];
    await query(this.#db, { sql: insertGivenSheet, values, transaction });
  }

  /** Returns the files of all replaced sheets except the newest ones, excluding files already reduced. */
  async olderReplacedFiles(id: number, newest: number, transaction: Transaction): Promise<number[]> {
    const rows = await query<{ id: number }>(this.#db, {
      sql: olderReplaced,
      values: [id, newest],
      transaction,
    });
    return rows.map((row) => row.id);
  }

  /** When the attempt of an existing submission started. */
  async attemptStart(id: number): Promise<AttemptStart> {
    const [row] = await query<AttemptStart>(this.#db, { sql: attemptStartOf, values: [id] });
    if (!row) throw new Error(`submission ${id} does not exist`);
    return row;
  }

  /** The attempt of an existing submission, as the student claimed it. */
  async attemptOf(id: number): Promise<Pick<StoredSheet, 'startAt' | 'durationMinutes'>> {
    type Row = Pick<StoredSheet, 'startAt' | 'durationMinutes'>;
    const [row] = await query<Row>(this.#db, { sql: attemptOf, values: [id] });
    if (!row) throw new Error(`submission ${id} does not exist`);
    return row;
  }

  /** A student's own submission. */
  async findOfStudent(studentId: number, id: number): Promise<OwnSubmission | undefined> {
    const [row] = await query<OwnSubmission>(this.#db, { sql: oneOfStudent, values: [studentId, id] });
    return row && asStudentSees(row);
  }

  /** One page of a student's own submissions, newest first. */
  async pageOfStudent(studentId: number, page: Page): Promise<SelectedPage<OwnSubmission>> {
    return this.#lists.read(async (select) => {
      const [counted] = await select<{ total: number }>({
        name: 'number of own',
        sql: countOfStudent,
        values: [studentId],
      });
      return selectPage(page, counted?.total ?? 0, async (limit, offset) => {
        const values = [studentId, limit, offset];
        const rows = await select<OwnSubmission>({ name: 'own submissions', sql: ofStudent, values });
        return rows.map(asStudentSees);
      });
    });
  }

  /** Submissions with larger ids that are or were graded, in id order. */
  everGradedAfter(id: number, limit: number): Promise<EverGraded[]> {
    return query(this.#db, { sql: everGraded, values: [id, limit] });
  }

  async #update(
    id: number,
    values: Partial<SubmissionModel['_attributes']>,
    transaction: Transaction,
  ): Promise<SubmittedSheet> {
    return toSubmission(await updateLocked(this.#models.Submission, id, values, transaction));
  }
}

const asStudentSees = (row: OwnSubmission): OwnSubmission =>
  areGradesVisible(row) ? row : { ...row, grade: null, totalGrade: null };

function toSubmission(row: SubmissionModel): SubmittedSheet {
  const { id, quizId, courseId, studentId, submittedAt, ...columns } = row.get();
  const { grade, totalGrade, gradedBy, gradedAt, comment, revision } = columns;
  const { submittedBy, lateWaived, stateRevision } = columns;
  const identity = { id, quizId, courseId, studentId, submittedAt };
  const state = { submittedBy, lateWaived, stateRevision };
  return { ...identity, grade, totalGrade, gradedBy, gradedAt, comment, revision, ...state };
}
