import { query } from '@gradeway/shared/database/query';
import { updateLocked } from '@gradeway/shared/database/updateLocked';
import type { LibraryFile } from '@gradeway/shared/files/fileLibrary';
import { type ItemVisibility, visibilityColumns } from '@gradeway/shared/items/visibility';
import { isErased } from '@gradeway/shared/personalData/erasedPeople';
import { createUnlessErased } from '@gradeway/shared/submissions/createUnlessErased';
import type { Sequelize, Transaction } from 'sequelize';
import { homeworkNotFound } from '../domain/homework.ts';
import type { StoredUpload, Submission, SubmittedFiles } from '../domain/submission.ts';
import type { Models, SubmissionModel } from './models.ts';

// The lock waits for a change that makes the assignment a draft, which is rejected once there is a submission
// (upsertAssignment.ts).
const create = `
  WITH created AS (
    INSERT INTO submissions (class_id, student_id, submitted_at, submitted_by, state_revision)
    SELECT $1::integer, $2::integer, $3::timestamptz, $5::integer, 1
    FROM assignments WHERE class_id = $1 AND published AND NOT ${isErased('$2')}
    FOR KEY SHARE OF assignments
    ON CONFLICT ON CONSTRAINT submissions_one_per_student DO NOTHING
    RETURNING id
  ), added AS (
    INSERT INTO submission_files (file_id, submission_id, submitted_at)
    SELECT file_id, created.id, $3 FROM created, unnest($4::integer[]) AS added (file_id))
  SELECT (SELECT id FROM created) AS id, ${isErased('$2')} AS "isErased"`;

const insertFiles = `
  INSERT INTO submission_files (file_id, submission_id, submitted_at, replaced_at)
  SELECT file_id, $2, $3, CASE WHEN $4 THEN now() END FROM unnest($1::integer[]) AS added (file_id)`;

const replaceCurrentFiles = `
  UPDATE submission_files SET replaced_at = now() WHERE submission_id = $1 AND replaced_at IS NULL`;

const olderReplaced = `
  SELECT f.id FROM submission_files sf JOIN files f ON f.id = sf.file_id
  WHERE sf.submission_id = $1 AND sf.replaced_at IS NOT NULL AND f.reduced_at IS NULL
  ORDER BY sf.submitted_at DESC, f.id DESC OFFSET $2`;

// Changes the version of the submission, so that a grading that has read the file does not take effect (decision 45).
// Locks its row before the rows of its files, as all other transactions do.
const touch = 'UPDATE submissions SET revision = revision WHERE id = $1';
const deleteFile = 'DELETE FROM submission_files WHERE submission_id = $1 AND file_id = $2 RETURNING file_id';

const everGraded = `
  SELECT s.id, s.class_id AS "classId", s.student_id AS "studentId", s.submitted_at AS "submittedAt", s.rating,
    s.comment, s.graded_by AS "gradedBy", s.graded_at AS "gradedAt", s.revision, c.title, c.course_id AS "courseId",
    ${visibilityColumns}
  FROM submissions s JOIN classes c USING (class_id) JOIN assignments item USING (class_id)
  WHERE s.id > $1 AND (s.rating IS NOT NULL OR s.revision > 0)
  ORDER BY s.id LIMIT $2`;

type EverGraded = Submission & ItemVisibility & { title: string; courseId: number };

/** Submissions as use cases read and change them. */
export class SubmissionRepository {
  readonly #db: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#db = sequelize;
    this.#models = models;
  }

  /**
   * Creates the student's only submission for a class with its files; returns undefined if there already is one, or if
   * the assignment has become a draft. Waits for a concurrent transaction that is creating it. Must follow the
   * statement that locked the student (`lockShared`).
   * @throws AppError `unauthenticated` when the student was erased
   */
  async create(
    { classId, studentId, receivedAt, submittedBy }: StoredUpload,
    files: LibraryFile[],
    transaction: Transaction,
  ): Promise<SubmittedFiles | undefined> {
    const values = [classId, studentId, receivedAt, files.map(({ id }) => id), submittedBy];
    const id = await createUnlessErased(this.#db, create, values, transaction);
    if (id === undefined) return undefined;
    const ungraded = { rating: null, comment: null, gradedBy: null, gradedAt: null, revision: 0 };
    const state = { submittedBy, lateWaived: false, stateRevision: 1 };
    return { id, classId, studentId, submittedAt: receivedAt, ...ungraded, ...state };
  }

  /**
   * Locks the submission of a student for a class.
   * @throws AppError `not_found` if it does not exist, because the assignment has become a draft since the access check
   */
  async lockOfStudent(
    { classId, studentId }: Pick<Submission, 'classId' | 'studentId'>,
    transaction: Transaction,
  ): Promise<SubmittedFiles> {
    const where = { classId, studentId };
    const row = await this.#models.Submission.findOne({ where, transaction, lock: true });
    if (!row) throw homeworkNotFound();
    return row.get();
  }

  /** Replaces the current files with later ones. */
  async replaceFiles(
    { id, stateRevision }: Pick<SubmittedFiles, 'id' | 'stateRevision'>,
    files: LibraryFile[],
    { receivedAt, submittedBy }: Pick<StoredUpload, 'receivedAt' | 'submittedBy'>,
    transaction: Transaction,
  ): Promise<SubmittedFiles> {
    await query(this.#db, { sql: replaceCurrentFiles, values: [id], transaction });
    await this.#insertFiles(id, files, receivedAt, false, transaction);
    const received = { submittedAt: receivedAt, submittedBy, stateRevision: stateRevision + 1 };
    return this.#update(id, received, transaction);
  }

  /** Stores files as replaced, because the current files were received later. */
  addReplacedFiles(
    id: number,
    files: LibraryFile[],
    receivedAt: Date,
    transaction: Transaction,
  ): Promise<void> {
    return this.#insertFiles(id, files, receivedAt, true, transaction);
  }

  /** Returns the replaced files except the newest ones, excluding files already reduced. */
  async olderReplacedFiles(id: number, newest: number, transaction: Transaction): Promise<number[]> {
    const rows = await query<{ id: number }>(this.#db, {
      sql: olderReplaced,
      values: [id, newest],
      transaction,
    });
    return rows.map((row) => row.id);
  }

  /** Removes a current or replaced file. Returns false if the submission has no such file. */
  async removeFile(id: number, fileId: number, transaction: Transaction): Promise<boolean> {
    await query(this.#db, { sql: touch, values: [id], transaction });
    const rows = await query(this.#db, { sql: deleteFile, values: [id, fileId], transaction });
    return rows.length === 1;
  }

  /** Submissions with larger ids that are or were graded, in id order. */
  everGradedAfter(id: number, limit: number): Promise<EverGraded[]> {
    return query(this.#db, { sql: everGraded, values: [id, limit] });
  }

  async #insertFiles(
    id: number,
    files: LibraryFile[],
    receivedAt: Date,
    replaced: boolean,
    transaction: Transaction,
  ): Promise<void> {
    const values = [files.map((file) => file.id), id, receivedAt, replaced];
    await query(this.#db, { sql: insertFiles, values, transaction });
  }

  async #update(
    id: number,
    values: Partial<SubmissionModel['_attributes']>,
    transaction: Transaction,
  ): Promise<SubmittedFiles> {
    return (await updateLocked(this.#models.Submission, id, values, transaction)).get();
  }
}
