import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize } from 'sequelize';
import type { Opening } from '../domain/questionLink.ts';

// The first stays, also of openings at the same moment: the constraint lets one of them in.
const note = `
  INSERT INTO quiz_starts (quiz_id, student_id, started_at) VALUES ($1, $2, $3)
  ON CONFLICT ON CONSTRAINT quiz_starts_one_per_student DO NOTHING`;

const ofStudent = `
  SELECT quiz_id AS "quizId", started_at AS "startedAt" FROM quiz_starts
  WHERE student_id = $1 AND quiz_id = ANY($2::integer[])`;

/** When students first opened the questions of their quizzes. */
export class StartRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** Notes an opening; the first one stays. */
  async note({ quizId, studentId }: Opening, at: Date): Promise<void> {
    await this.#sequelize.query(note, { bind: [quizId, studentId, at] });
  }

  /** The starts of a student in these quizzes, by quiz. */
  async ofStudent(studentId: number, quizIds: number[]): Promise<Map<number, Date>> {
    const bind = [studentId, quizIds];
    const rows = await selectRows<{ quizId: number; startedAt: Date }>(this.#sequelize, ofStudent, bind);
    return new Map(rows.map(({ quizId, startedAt }) => [quizId, startedAt]));
  }

  async find({ quizId, studentId }: Opening): Promise<Date | null> {
    return (await this.ofStudent(studentId, [quizId])).get(quizId) ?? null;
  }
}
