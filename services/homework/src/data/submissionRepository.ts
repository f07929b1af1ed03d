import { selectRows } from '@gradeway/shared/database/connection';
import type { LibraryFile } from '@gradeway/shared/files/fileLibrary';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Submission } from '../domain/submission.ts';
import type { Models, SubmissionModel } from './models.ts';

interface NewSubmission {
  classId: number;
  studentId: number;
  submittedAt: Date;
}

/** What one upload brought. */
interface HandedIn {
  files: Pick<LibraryFile, 'id'>[];
  submittedAt: Date;
}

interface Grade {
  rating: number;
  comment: string | null;
  gradedBy: number;
  gradedAt: Date;
}

const insertOnce = `
  INSERT INTO submissions (class_id, student_id, submitted_at) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT submissions_one_per_student DO NOTHING
  RETURNING id`;

const addFiles = `
  INSERT INTO submission_files (file_id, submission_id, submitted_at, replaced_at)
  SELECT file_id, $2, $3, CASE WHEN $4 THEN now() END FROM unnest($1::integer[]) AS added (file_id)`;

const markReplaced = `
  UPDATE submission_files SET replaced_at = now() WHERE submission_id = $1 AND replaced_at IS NULL`;

const removeFile = 'DELETE FROM submission_files WHERE submission_id = $1 AND file_id = $2 RETURNING file_id';

const graded = `
  SELECT s.id, s.class_id AS "classId", s.student_id AS "studentId", s.submitted_at AS "submittedAt", s.rating,
    s.comment, s.graded_by AS "gradedBy", s.graded_at AS "gradedAt", s.revision, c.title, c.course_id AS "courseId"
  FROM submissions s JOIN classes c USING (class_id)
  WHERE s.id > $1 AND s.rating IS NOT NULL
  ORDER BY s.id LIMIT $2`;

/** Everybody whose name a list may show. */
export const referencedUsers = 'SELECT student_id AS user_id FROM submissions';

/** Submissions as they change. How they are shown is submissionLists.ts. */
export class SubmissionRepository {
  readonly #sequelize: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#sequelize = sequelize;
    this.#models = models;
  }

  /** Locks the student's one submission for a class, making it, still without files, when there is none. */
  async lockOrCreate(
    { classId, studentId, submittedAt }: NewSubmission,
    transaction: Transaction,
  ): Promise<{ submission: Submission; created: boolean }> {
    const bind = [classId, studentId, submittedAt];
    const inserted = await selectRows(this.#sequelize, insertOnce, bind, transaction);
    const where = { classId, studentId };
    const options = { where, transaction, lock: true, rejectOnEmpty: true } as const;
    const row = await this.#models.Submission.findOne(options);
    return { submission: row.get(), created: inserted.length === 1 };
  }

  async lock(id: number, transaction: Transaction): Promise<Submission | undefined> {
    const row = await this.#models.Submission.findByPk(id, { transaction, lock: true });
    return row?.get();
  }

  /** Puts later files in the place of the present ones, which are kept aside. */
  async replaceFiles(id: number, handedIn: HandedIn, transaction: Transaction): Promise<Submission> {
    await this.#sequelize.query(markReplaced, { bind: [id], transaction });
    await this.#addFiles(id, handedIn, false, transaction);
    return this.#update(id, { submittedAt: handedIn.submittedAt }, transaction);
  }

  /** Keeps files aside that were replaced before they arrived. */
  keepReplaced(id: number, handedIn: HandedIn, transaction: Transaction): Promise<void> {
    return this.#addFiles(id, handedIn, true, transaction);
  }

  /** Takes a file out of a submission, present or replaced. False when it is none of its files. */
  async removeFile(id: number, fileId: number, transaction: Transaction): Promise<boolean> {
    const rows = await selectRows(this.#sequelize, removeFile, [id, fileId], transaction);
    return rows.length === 1;
  }

  setGrade(before: Submission, grade: Grade, transaction: Transaction): Promise<Submission> {
    return this.#update(before.id, { ...grade, revision: before.revision + 1 }, transaction);
  }

  async addGrading(grading: Grade & { submissionId: number }, transaction: Transaction): Promise<void> {
    await this.#models.Grading.create(grading, { transaction });
  }

  /** One page of a submission's gradings, newest first. */
  async gradings(submissionId: number, page: Page): Promise<{ gradings: Grade[]; total: number }> {
    const total = await this.#models.Grading.count({ where: { submissionId } });
    const offset = offsetOf(page, total);
    if (offset === undefined) return { gradings: [], total };
    const options = {
      where: { submissionId },
      order: [['id', 'DESC']] as [string, string][],
      limit: page.size,
      offset,
    };
    const rows = await this.#models.Grading.findAll(options);
    return { gradings: rows.map((row) => row.get()), total };
  }

  /** Graded submissions after this id, in the order of their ids. */
  gradedAfter(id: number, limit: number): Promise<(Submission & { title: string; courseId: number })[]> {
    return selectRows(this.#sequelize, graded, [id, limit]);
  }

  async #addFiles(
    id: number,
    { files, submittedAt }: HandedIn,
    replaced: boolean,
    transaction: Transaction,
  ): Promise<void> {
    const bind = [files.map((file) => file.id), id, submittedAt, replaced];
    await this.#sequelize.query(addFiles, { bind, transaction });
  }

  async #update(
    id: number,
    values: Partial<SubmissionModel['_attributes']>,
    transaction: Transaction,
  ): Promise<Submission> {
    const [, rows] = await this.#models.Submission.update(values, {
      where: { id },
      transaction,
      returning: true,
    });
    const [row] = rows;
    if (!row) throw new Error(`submission ${id} vanished under its lock`);
    return row.get();
  }
}
