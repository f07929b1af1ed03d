import { query } from '@gradeway/shared/database/query';
import { userEmail, userName, userNameOf } from '@gradeway/shared/projections/userColumns';
import type { Sequelize, Transaction } from 'sequelize';
import type { Accommodation } from '../domain/accommodation.ts';

type Key = Pick<Accommodation, 'courseId' | 'studentId'>;

/** An accommodation with the names of the student and the teacher, which are null for a deleted account. */
export interface NamedAccommodation extends Accommodation {
  studentName: string | null;
  studentEmail: string | null;
  changedByName: string | null;
}

const columns = `
  course_id AS "courseId", student_id AS "studentId", time_percent AS "timePercent", note,
  changed_by AS "changedBy", changed_at AS "changedAt"`;
const ofStudent = 'FROM accommodations a WHERE a.course_id = $1 AND a.student_id = $2';
const find = `
  SELECT ${columns}, ${userName} AS "studentName", ${userEmail} AS "studentEmail",
    ${userNameOf('teacher')} AS "changedByName"
  FROM accommodations
  LEFT JOIN people p ON p.user_id = student_id LEFT JOIN people teacher ON teacher.user_id = changed_by
  WHERE course_id = $1 AND student_id = $2`;
const put = `
  INSERT INTO accommodations (course_id, student_id, time_percent, note, changed_by) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (course_id, student_id) DO UPDATE SET
    time_percent = excluded.time_percent, note = excluded.note, changed_by = excluded.changed_by, changed_at = now()`;

/** Stores the accommodations of students. */
export class AccommodationRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async find({ courseId, studentId }: Key): Promise<NamedAccommodation | undefined> {
    const values = [courseId, studentId];
    return (await query<NamedAccommodation>(this.#db, { sql: find, values }))[0];
  }

  async lock({ courseId, studentId }: Key, transaction: Transaction): Promise<Accommodation | undefined> {
    const sql = `SELECT ${columns} ${ofStudent} FOR UPDATE`;
    return (await query<Accommodation>(this.#db, { sql, values: [courseId, studentId], transaction }))[0];
  }

  async put(accommodation: Omit<Accommodation, 'changedAt'>, transaction: Transaction): Promise<void> {
    const { courseId, studentId, timePercent, note, changedBy } = accommodation;
    const values = [courseId, studentId, timePercent, note, changedBy];
    await query(this.#db, { sql: put, values, transaction });
  }

  async delete({ courseId, studentId }: Key, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: `DELETE ${ofStudent}`, values: [courseId, studentId], transaction });
  }

  /** Deletes the accommodations of a deleted or erased account in every course. */
  async deleteAll(studentId: number, transaction: Transaction): Promise<void> {
    const sql = 'DELETE FROM accommodations WHERE student_id = $1';
    await query(this.#db, { sql, values: [studentId], transaction });
  }
}
