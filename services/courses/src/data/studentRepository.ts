import { inTransaction } from '@gradeway/shared/database/connection';
import { type ListReads, primaryReads } from '@gradeway/shared/database/listReads';
import { pageValues, rowCount } from '@gradeway/shared/database/pageOfIds';
import { query } from '@gradeway/shared/database/query';
import type { Page } from '@gradeway/shared/http/pagination';
import type { Sequelize } from 'sequelize';

/** A student in a course's list. */
export interface CourseStudent {
  id: number;
  name: string;
  email: string | null;
}

type Row = Omit<CourseStudent, 'id'> & { id: number | null; total: number | null };

const students = 'FROM roster WHERE course_id = $1 AND is_enrolled';
const inOrder = 'ORDER BY last_name_key, first_name_key, user_id';

// Reads only the rows of the page: an index-only scan finds their ids, however large the offset is. An empty page has
// one row, with the total. Only the first row has the total, because the driver parses each one.
const rowsOf = (ids: string) => `
  LEFT JOIN unnest(${ids}) WITH ORDINALITY AS page (id, place) ON true
  LEFT JOIN roster r ON r.course_id = $1 AND r.user_id = page.id`;
const columns = `
  r.user_id AS id, r.email, concat_ws(' ', nullif(r.first_name, ''), nullif(r.last_name, '')) AS name`;
const inFirstRow = (total: string) => `CASE WHEN page.place > 1 THEN NULL ELSE ${total} END AS total`;
const existing = 'WHERE c.id = $1 AND c.deleted_at IS NULL';

// A page past the end reads no rows.
const limit = `LIMIT CASE WHEN $3 < c.student_count THEN $2 ELSE 0 END OFFSET ${rowCount('$3')}`;
const pageOfAll = `
  SELECT ${inFirstRow('c.student_count')}, ${columns}
  FROM courses c ${rowsOf(`ARRAY(SELECT user_id ${students} ${inOrder} ${limit})`)}
  ${existing} ORDER BY page.place`;

// The subquery computes the pattern once instead of for each row. LIKE compares bytes like position(), but does not
// count the characters before a match, which took a third of the time when all rows matched.
const isFound = 'is_enrolled AND people_search_text LIKE (SELECT people_search_pattern($4))';
// One scan of an unordered index (roster_search_2) counts the matches and collects their ids. `c.id` instead of $1
// makes the subquery correlated and therefore never parallel: parallel workers cost more here than they save.
const allFound = `
  SELECT count(*)::int AS total, array_agg(user_id) AS ids FROM roster WHERE course_id = c.id AND ${isFound}`;
// A few matches are sorted. If there are many, a second scan in list order stops at the end of the page: sorting a
// hundred thousand matches takes ten times as long as finding them.
const sortedMatches = 500;
const foundLimit = 'LIMIT CASE WHEN $3 < found.total THEN least($2, found.total - $3) ELSE 0 END OFFSET $3';
const foundPage = `
  CASE WHEN found.total <= ${sortedMatches}
    THEN ARRAY(SELECT user_id FROM roster WHERE course_id = $1 AND user_id = ANY (found.ids) ${inOrder} ${foundLimit})
    ELSE ARRAY(SELECT user_id FROM roster WHERE course_id = $1 AND ${isFound} ${inOrder} ${foundLimit})
  END`;
const pageOfFound = `
  SELECT ${inFirstRow('found.total')}, ${columns}
  FROM courses c CROSS JOIN LATERAL (${allFound}) AS found ${rowsOf(foundPage)}
  ${existing} ORDER BY page.place`;

// This update changes nothing, but fires the trigger that copies names (migrations/0001-courses.sql).
const copyNextBatch = `
  WITH next AS (SELECT user_id FROM people WHERE user_id > $1 ORDER BY user_id LIMIT $2 FOR NO KEY UPDATE)
  UPDATE people SET revision = revision FROM next WHERE people.user_id = next.user_id
  RETURNING people.user_id AS id`;
const copiedPerBatch = 500;

/** Selects all users whose names appear in lists. */
export const selectReferencedUsers =
  'SELECT user_id FROM roster UNION SELECT user_id FROM instructors UNION SELECT changed_by FROM accommodations';

/** Selects the users without a name, because it was never fetched or the account was deleted. */
export const selectUsersWithoutName = 'SELECT user_id FROM roster WHERE last_name IS NULL';

const isStudent = (row: Row): row is Row & { id: number } => row.id !== null;

/** Lists the students of a course. */
export class StudentRepository {
  readonly #db: Sequelize;
  readonly #lists: ListReads;

  constructor(sequelize: Sequelize, lists: ListReads = primaryReads(sequelize)) {
    this.#db = sequelize;
    this.#lists = lists;
  }

  /**
   * Returns one page of a course's students by last name, first name and id; undefined if the course does not exist. A
   * non-empty `search` selects students whose full name, address or mobile number contains the text (D57).
   */
  async pageOfCourse(
    courseId: number,
    page: Page,
    search: string,
  ): Promise<{ students: CourseStudent[]; total: number } | undefined> {
    const values = [courseId, ...pageValues(page)];
    const rows =
      search === ''
        ? await this.#lists.read(
            (select) => select<Row>({ name: 'students', sql: pageOfAll, values }),
            'short',
          )
        : await this.#lists.read((select) =>
            select<Row>({ name: 'found students', sql: pageOfFound, values: [...values, search] }),
          );
    const [first] = rows;
    if (!first) return undefined;
    return { students: rows.filter(isStudent), total: first.total ?? 0 };
  }

  /** Copies all names again into the columns of `roster` that are used to search and sort lists. */
  async copyNames(): Promise<void> {
    for (let lastId = 0; ; ) {
      const copied = await inTransaction(this.#db, (transaction) =>
        query<{ id: number }>(this.#db, {
          sql: copyNextBatch,
          values: [lastId, copiedPerBatch],
          transaction,
        }),
      );
      if (copied.length === 0) return;
      lastId = Math.max(...copied.map(({ id }) => id));
    }
  }
}
