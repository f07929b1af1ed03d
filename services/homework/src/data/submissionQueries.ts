import { type ListReads, primaryReads } from '@gradeway/shared/database/listReads';
import { query } from '@gradeway/shared/database/query';
import { fileColumns } from '@gradeway/shared/files/fileColumns';
import type { LibraryFile } from '@gradeway/shared/files/fileLibrary';
import { areGradesVisible } from '@gradeway/shared/items/item';
import {
  joinTimes,
  releaseColumns,
  type ShownGrade,
  type TimedWork,
  timeColumns,
} from '@gradeway/shared/items/submittedWork';
import { userEmail, userName } from '@gradeway/shared/projections/userColumns';
import type { Sequelize } from 'sequelize';
import { gradingTables } from './gradingTables.ts';

/** A submission as responses show it. */
export interface ShownSubmission {
  id: number;
  studentId: number;
  /** Null when the account was deleted. */
  studentName: string | null;
  studentEmail: string | null;
  rating: number | null;
  comment: string | null;
  submittedAt: Date;
  files: ListedFile[];
}

export interface ListedSubmission extends ShownSubmission, TimedWork, ShownGrade {
  classId: number;
  revision: number;
}

interface ListedFile {
  id: number;
  name: string;
}

const submissions = (condition: string) => `
  SELECT s.id, s.class_id AS "classId", s.student_id AS "studentId", s.rating, s.comment,
    s.submitted_at AS "submittedAt", s.revision, ${userName} AS "studentName", ${userEmail} AS "studentEmail",
    ${timeColumns}, ${releaseColumns}
  FROM submissions s LEFT JOIN people p ON p.user_id = s.student_id ${joinTimes(gradingTables)}
  WHERE ${condition}
  ORDER BY s.class_id, s.submitted_at, s.id`;

const ofClasses = submissions('s.class_id = ANY($1::integer[])');
const ofStudent = submissions('s.class_id = ANY($1::integer[]) AND s.student_id = $2');
const one = submissions('s.id = $1');
const oneOfStudent = submissions('s.id = $1 AND s.student_id = $2');

const listedFiles = `
  SELECT sf.submission_id AS "submissionId", f.id, f.name
  FROM submission_files sf JOIN files f ON f.id = sf.file_id
  WHERE sf.submission_id = ANY($1::integer[]) AND sf.replaced_at IS NULL
  ORDER BY f.id`;

const currentFiles = `
  SELECT ${fileColumns} FROM submission_files sf JOIN files f ON f.id = sf.file_id
  WHERE sf.submission_id = $1 AND sf.replaced_at IS NULL
  ORDER BY f.id`;

/** Submissions with their students and files. Each list takes two queries. */
export class SubmissionQueries {
  readonly #db: Sequelize;
  readonly #primary: ListReads;
  readonly #lists: ListReads;

  constructor(sequelize: Sequelize, lists: ListReads) {
    this.#db = sequelize;
    this.#primary = primaryReads(sequelize);
    this.#lists = lists;
  }

  /** All submissions for these classes, oldest first. */
  ofClasses(classIds: number[]): Promise<ListedSubmission[]> {
    return withFiles(this.#primary, 'submissions of classes', ofClasses, [classIds]);
  }

  /** A student's own submissions for these classes, for a list, without grades that are hidden from them. */
  async ofStudent(studentId: number, classIds: number[]): Promise<ListedSubmission[]> {
    const name = 'submissions of a student';
    const rows = await withFiles(this.#lists, name, ofStudent, [classIds, studentId]);
    return rows.map(asStudentSees);
  }

  /** A student's own submission, without a grade that is hidden from them. */
  async findOfStudent(studentId: number, id: number): Promise<ListedSubmission | undefined> {
    const name = 'own submission';
    const [row] = await withFiles(this.#primary, name, oneOfStudent, [id, studentId]);
    return row && asStudentSees(row);
  }

  async find(id: number): Promise<ListedSubmission | undefined> {
    const [submission] = await withFiles(this.#primary, 'one submission', one, [id]);
    return submission;
  }

  /** An existing submission; submissions are never deleted. */
  async get(id: number): Promise<ListedSubmission> {
    const submission = await this.find(id);
    if (!submission) throw new Error(`submission ${id} does not exist`);
    return submission;
  }

  /** The current files of a submission, in upload order. */
  currentFiles(id: number): Promise<LibraryFile[]> {
    return query<LibraryFile>(this.#db, { sql: currentFiles, values: [id] });
  }
}

const asStudentSees = (row: ListedSubmission): ListedSubmission =>
  // Before the last question is graded, the submission may already have a comment.
  areGradesVisible(row) && row.rating !== null ? row : { ...row, rating: null, comment: null };

function withFiles(
  reads: ListReads,
  name: string,
  sql: string,
  values: unknown[],
): Promise<ListedSubmission[]> {
  type File = ListedFile & { submissionId: number };
  return reads.read(async (select) => {
    const rows = await select<Omit<ListedSubmission, 'files'>>({ name, sql, values });
    const ids = rows.map(({ id }) => id);
    const files = await select<File>({ name: 'files of submissions', sql: listedFiles, values: [ids] });
    const filesOf = Map.groupBy(files, ({ submissionId }) => submissionId);
    return rows.map((row) => ({ ...row, files: filesOf.get(row.id) ?? [] }));
  });
}
