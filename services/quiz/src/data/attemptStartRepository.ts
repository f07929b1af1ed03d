import { inTransaction } from '@gradeway/shared/database/connection';
import { query } from '@gradeway/shared/database/query';
import { forbidden } from '@gradeway/shared/errors/appError';
import { findErased } from '@gradeway/shared/personalData/erasedPeople';
import type { Sequelize } from 'sequelize';
import type { QuestionPdfReader } from '../domain/questionPdfReader.ts';

// The constraint accepts one of several simultaneous requests.
const insertFirst = `
  INSERT INTO quiz_starts (quiz_id, student_id, started_at) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT quiz_starts_one_per_student DO NOTHING`;

const ofStudent = `
  SELECT quiz_id AS "quizId", started_at AS "startedAt" FROM quiz_starts
  WHERE student_id = $1 AND quiz_id = ANY($2::integer[])`;

/** When students first opened the question PDFs of their quizzes. */
export class AttemptStartRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /**
   * Records when a student first opens a question PDF. Later openings change nothing.
   * @throws AppError `forbidden` when the student was erased, because the link outlives the account
   */
  async recordFirst({ quizId, studentId }: QuestionPdfReader, at: Date): Promise<void> {
    await inTransaction(this.#db, async (transaction) => {
      if (await findErased(this.#db, studentId, transaction)) throw forbidden();
      await query(this.#db, { sql: insertFirst, values: [quizId, studentId, at], transaction });
    });
  }

  /** A student's recorded starts, by quiz. */
  async ofStudent(studentId: number, quizIds: number[]): Promise<Map<number, Date>> {
    const values = [studentId, quizIds];
    const rows = await query<{ quizId: number; startedAt: Date }>(this.#db, { sql: ofStudent, values });
    return new Map(rows.map(({ quizId, startedAt }) => [quizId, startedAt]));
  }
}
