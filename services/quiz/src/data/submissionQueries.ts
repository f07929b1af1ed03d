import { query } from '@gradeway/shared/database/query';
import { userName } from '@gradeway/shared/projections/userColumns';
import type { Sequelize } from 'sequelize';

/** A submission as administrators see it in lists. */
export interface ListedSubmission {
  id: number;
  /** Null when the account was deleted. */
  studentName: string | null;
  grade: number | null;
  totalGrade: number | null;
  fileId: number | null;
}

const listed = `
  SELECT s.id, s.grade::float8 AS grade, s.total_grade::float8 AS "totalGrade",
    s.file_id AS "fileId", ${userName} AS "studentName"
  FROM submissions s LEFT JOIN people p ON p.user_id = s.student_id`;

const ofQuizzes = `${listed} WHERE s.quiz_id = ANY($1::integer[]) ORDER BY s.quiz_id, s.submitted_at, s.id`;
const one = `${listed} WHERE s.id = $1`;

/** Submissions with the names of their students. Each list takes one query. */
export class SubmissionQueries {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** All submissions for these quizzes, oldest first. */
  ofQuizzes(quizIds: number[]): Promise<ListedSubmission[]> {
    return query(this.#db, { name: 'submissions of quizzes', sql: ofQuizzes, values: [quizIds] });
  }

  /** An existing submission; submissions are never deleted. */
  async get(id: number): Promise<ListedSubmission> {
    const [row] = await query<ListedSubmission>(this.#db, { name: 'one submission', sql: one, values: [id] });
    if (!row) throw new Error(`submission ${id} does not exist`);
    return row;
  }
}
