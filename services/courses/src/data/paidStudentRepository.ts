import { query } from '@gradeway/shared/database/query';
import type { Sequelize } from 'sequelize';

/** A student who has paid. Name and address are empty if the account was deleted. */
export interface PaidStudent {
  id: number;
  name: string;
  email: string;
}

interface PageRequest {
  /** Continues after this student; undefined for the first page. */
  afterId: number | undefined;
  limit: number;
  /** Part of a name, an address or a number (D57); empty for all students. */
  search: string;
  /** Restricts the result to students who are, or are not, in this list; undefined for all students. */
  only: { ids: number[]; areIncluded: boolean } | undefined;
}

// A deleted course has no students.
const paid = `
  FROM roster
  WHERE course_id = $1 AND is_enrolled AND paid AND EXISTS (SELECT FROM courses WHERE id = $1 AND deleted_at IS NULL)`;

// Binary, because the text of 20,000 numbers takes longer to read than their rows.
const allIds = `SELECT string_agg(int4send(user_id), '') AS ids ${paid}`;

const order = 'last_name_key, first_name_key, user_id';
// If the student has been erased, continues as after a student without a name: repeating students is better than
// omitting them.
const after = `
  AND (${order}) > (
    SELECT coalesce(max(last_name_key), ''), coalesce(max(first_name_key), ''), $2::int
    FROM roster WHERE course_id = $1 AND user_id = $2)`;
// Both conditions are opaque to the planner, which would otherwise expect few matches and sort all students. A scan in the order
// of the list (roster_students_2) stops at the end of the page.
const isFound = 'AND coalesce(people_search_text LIKE (SELECT people_search_pattern($4)), false)';
const isAmong = 'AND (user_id IN (SELECT unnest($5::int[]))) = $6';
const page = (where: string) => `
  SELECT user_id AS id, coalesce(email, '') AS email,
    concat_ws(' ', nullif(first_name, ''), nullif(last_name, '')) AS name
  ${paid} ${after} ${where} ORDER BY ${order} LIMIT $3`;

/** Lists the paid enrollments of a course by last name, first name and id. */
export class PaidStudentRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async page(courseId: number, { afterId = 0, limit, search, only }: PageRequest): Promise<PaidStudent[]> {
    const where = [
      search === '' ? "AND $4 = ''" : isFound,
      only ? isAmong : 'AND $5::int[] IS NULL AND $6::boolean IS NULL',
    ];
    const values = [courseId, afterId, limit, search, only?.ids ?? null, only?.areIncluded ?? null];
    return query<PaidStudent>(this.#db, { sql: page(where.join(' ')), values });
  }

  /** Returns the ids of all paid students of a course, in no particular order. */
  async allIds(courseId: number): Promise<Set<number>> {
    const [row] = await query<{ ids: Buffer | null }>(this.#db, { sql: allIds, values: [courseId] });
    const bytes = row?.ids ?? Buffer.alloc(0);
    const ids = new Set<number>();
    for (let offset = 0; offset < bytes.length; offset += 4) ids.add(bytes.readInt32BE(offset));
    return ids;
  }
}
