import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';

// Each part reads at most a page of its primary key.
const part = (table: string, isActive: string) => `
  (SELECT user_id FROM ${table} WHERE course_id = $1 AND user_id > $2 AND ${isActive} ORDER BY user_id LIMIT $3)`;
const after = `
  SELECT user_id AS id
  FROM (${part('roster', 'is_enrolled')} UNION ${part('instructors', 'is_assigned')}) AS people
  WHERE EXISTS (SELECT FROM courses WHERE id = $1 AND deleted_at IS NULL)
  ORDER BY user_id LIMIT $3`;

const isIn = (table: string, isActive: string) => `
  EXISTS (
    SELECT FROM ${table} p JOIN courses c ON c.id = p.course_id AND c.deleted_at IS NULL
    WHERE p.course_id = ANY($1::integer[]) AND p.user_id = $2 AND p.${isActive})`;
const includes = `
  SELECT ${isIn('roster', 'is_enrolled')} OR ${isIn('instructors', 'is_assigned')} AS "isIncluded"`;

/** The people of existing courses: students, paid or not, and instructors. */
export class CoursePeopleRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns the next people of a course in id order. */
  async after(courseId: number, userId: number, limit: number): Promise<number[]> {
    const rows = await query<{ id: number }>(this.#db, { sql: after, values: [courseId, userId, limit] });
    return rows.map(({ id }) => id);
  }

  /** Whether a user is one of the people of these courses. */
  async includes(courseIds: number[], userId: number): Promise<boolean> {
    const values = [courseIds, userId];
    const [row] = await query<{ isIncluded: boolean }>(this.#db, { sql: includes, values });
    return row?.isIncluded ?? false;
  }
}
