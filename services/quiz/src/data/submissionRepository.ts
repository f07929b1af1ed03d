import { selectRows } from '@gradeway/shared/database/connection';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Submission } from '../domain/submission.ts';
import type { Flag } from '../domain/submissionWindow.ts';
import type { Models, SubmissionModel } from './models.ts';

interface Sheet {
  quizId: number;
  courseId: number;
  classId: number | null;
  studentId: number;
  fileId: number;
  startAt: Date;
  durationMinutes: number;
  recordedStartAt: Date | null;
  flags: Flag[];
  receivedAt: Date;
}

interface Grade {
  grade: number;
  totalGrade: number;
  gradedBy: number;
  gradedAt: Date;
}

/** What was said and known of when the present sheet was begun. */
export interface BeginningOfSheet {
  startAt: Date;
  recordedStartAt: Date | null;
  flags: Flag[];
}

/** A submission as its student's list shows it. */
export interface OwnSubmission extends BeginningOfSheet {
  id: number;
  quizId: number;
  quizTitle: string;
  grade: number | null;
  totalGrade: number | null;
  fileId: number | null;
  submittedAt: Date;
}

const insertOnce = `
  INSERT INTO submissions
    (quiz_id, course_id, class_id, student_id, file_id, start_at, duration_minutes, submitted_at, recorded_start_at,
      flags)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT ON CONSTRAINT submissions_one_per_student DO NOTHING
  RETURNING id`;

const keepReplaced = `
  INSERT INTO replaced_sheets
    (submission_id, file_id, submitted_at, start_at, duration_minutes, recorded_start_at, flags)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

const keepPresent = `
  INSERT INTO replaced_sheets
    (submission_id, file_id, submitted_at, start_at, duration_minutes, recorded_start_at, flags)
  SELECT id, file_id, submitted_at, start_at, duration_minutes, recorded_start_at, flags
  FROM submissions WHERE id = $1 AND file_id IS NOT NULL`;

const beginning = `s.start_at AS "startAt", s.recorded_start_at AS "recordedStartAt", s.flags`;
const beginningOf = `SELECT ${beginning} FROM submissions s WHERE s.id = $1`;

const ofStudent = `
  SELECT s.id, s.quiz_id AS "quizId", q.title AS "quizTitle", s.grade::float8 AS grade,
    s.total_grade::float8 AS "totalGrade", s.file_id AS "fileId", s.submitted_at AS "submittedAt",
    ${beginning}
  FROM submissions s JOIN quizzes q ON q.id = s.quiz_id
  WHERE s.student_id = $1
  ORDER BY s.submitted_at DESC, s.id DESC LIMIT $2 OFFSET $3`;

const graded = `
  SELECT s.id, s.quiz_id AS "quizId", s.course_id AS "courseId", s.student_id AS "studentId", s.file_id AS "fileId",
    s.submitted_at AS "submittedAt", s.grade::float8 AS grade, s.total_grade::float8 AS "totalGrade",
    s.graded_by AS "gradedBy", s.graded_at AS "gradedAt", s.revision, q.title AS "quizTitle"
  FROM submissions s JOIN quizzes q ON q.id = s.quiz_id
  WHERE s.id > $1 AND s.grade IS NOT NULL
  ORDER BY s.id LIMIT $2`;

/** Everybody whose name a list may show. */
export const referencedUsers = 'SELECT student_id AS user_id FROM submissions';

export class SubmissionRepository {
  readonly #sequelize: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#sequelize = sequelize;
    this.#models = models;
  }

  /** Locks the student's one submission for a quiz, making it from this sheet when there is none. */
  async lockOrCreate(
    sheet: Sheet,
    transaction: Transaction,
  ): Promise<{ submission: Submission; created: boolean }> {
    const { quizId, courseId, classId, studentId, fileId, startAt, durationMinutes, receivedAt } = sheet;
    const answer = [quizId, courseId, classId, studentId, fileId, startAt, durationMinutes, receivedAt];
    const bind = [...answer, sheet.recordedStartAt, sheet.flags];
    const inserted = await selectRows(this.#sequelize, insertOnce, bind, transaction);
    const where = { quizId, studentId };
    const row = await this.#models.Submission.findOne({
      where,
      transaction,
      lock: true,
      rejectOnEmpty: true,
    });
    return { submission: toSubmission(row), created: inserted.length === 1 };
  }

  async lock(id: number, transaction: Transaction): Promise<Submission | undefined> {
    const row = await this.#models.Submission.findByPk(id, { transaction, lock: true });
    return row ? toSubmission(row) : undefined;
  }

  /** Puts a later sheet in the place of the present one, which is kept aside. */
  async replaceSheet(before: Submission, sheet: Sheet, transaction: Transaction): Promise<Submission> {
    await this.#sequelize.query(keepPresent, { bind: [before.id], transaction });
    const { classId, fileId, startAt, durationMinutes, recordedStartAt, flags, receivedAt } = sheet;
    const values = { classId, fileId, startAt, durationMinutes, recordedStartAt, flags };
    return this.#update(before.id, { ...values, submittedAt: receivedAt }, transaction);
  }

  /** Keeps a sheet aside that was replaced before it arrived. */
  async keepReplaced(id: number, sheet: Sheet, transaction: Transaction): Promise<void> {
    const { fileId, receivedAt, startAt, durationMinutes, recordedStartAt, flags } = sheet;
    const bind = [id, fileId, receivedAt, startAt, durationMinutes, recordedStartAt, flags];
    await this.#sequelize.query(keepReplaced, { bind, transaction });
  }

  setGrade(before: Submission, grade: Grade, transaction: Transaction): Promise<Submission> {
    const { totalGrade, gradedBy, gradedAt } = grade;
    const values = { grade: grade.grade, totalGrade, gradedBy, gradedAt, revision: before.revision + 1 };
    return this.#update(before.id, values, transaction);
  }

  async addGrading(grading: Grade & { submissionId: number }, transaction: Transaction): Promise<void> {
    await this.#models.Grading.create(grading, { transaction });
  }

  async find(id: number): Promise<Submission | undefined> {
    const row = await this.#models.Submission.findByPk(id);
    return row ? toSubmission(row) : undefined;
  }

  /** What was said and known of the beginning, of a submission that is known to exist. */
  async beginningOf(id: number): Promise<BeginningOfSheet> {
    const [row] = await selectRows<BeginningOfSheet>(this.#sequelize, beginningOf, [id]);
    if (!row) throw new Error(`submission ${id} is gone`);
    return row;
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

  /** One page of a student's own submissions, newest first. */
  async pageOfStudent(
    studentId: number,
    page: Page,
  ): Promise<{ submissions: OwnSubmission[]; total: number }> {
    const total = await this.#models.Submission.count({ where: { studentId } });
    const offset = offsetOf(page, total);
    if (offset === undefined) return { submissions: [], total };
    const bind = [studentId, page.size, offset];
    return { submissions: await selectRows<OwnSubmission>(this.#sequelize, ofStudent, bind), total };
  }

  /** Graded submissions after this id, in the order of their ids. */
  gradedAfter(id: number, limit: number): Promise<(Submission & { quizTitle: string })[]> {
    return selectRows(this.#sequelize, graded, [id, limit]);
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
    return toSubmission(row);
  }
}

function toSubmission(row: SubmissionModel): Submission {
  const {
    classId: _1,
    startAt: _2,
    durationMinutes: _3,
    recordedStartAt: _4,
    flags: _5,
    ...submission
  } = row.get();
  return submission;
}
