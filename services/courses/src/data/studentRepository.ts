import { inTransaction } from '@gradeway/shared/database/connection';
import { type ListReads, primaryReads } from '@gradeway/shared/database/listReads';
import { pageValues, rowCount } from '@gradeway/shared/database/pageOfIds';
import { query } from '@gradeway/shared/database/query';
import type { Page } from '@gradeway/shared/http/pagination';
import type { Sequelize } from 'sequelize';

/** A student in the list of a course. */
export interface CourseStudent {
  id: number;
  name: string;
  email: string | null;
}

type Row = Omit<CourseStudent, 'id'> & { id: number | null; total: number | null };

const students = 'FROM roster WHERE course_id = $1 AND is_enrolled';
const inOrder = 'ORDER BY last_name_key, first_name_key, user_id';

// Only the rows of the page are read: an index-only scan finds their ids, however far back they are. A course without students
// on the page has one row. Only the first row has the total, because the driver makes a string and a number of each.
const rowsOf = (ids: string) => `
  LEFT JOIN unnest(${ids}) WITH ORDINALITY AS page (id, place) ON true
  LEFT JOIN roster r ON r.course_id = $1 AND r.user_id = page.id`;
const columns = `
  r.user_id AS id, r.email, concat_ws(' ', nullif(r.first_name, ''), nullif(r.last_name, '')) AS name`;
const inFirstRow = (total: string) => `CASE WHEN page.place > 1 THEN NULL ELSE ${total} END AS total`;
const existing = 'WHERE c.id = $1 AND c.deleted_at IS NULL';

// A page past the end skips no rows.
const limit = `LIMIT CASE WHEN $3 < c.student_count THEN $2 ELSE 0 END OFFSET ${rowCount('$3')}`;
const pageOfAll = `
  SELECT ${inFirstRow('c.student_count')}, ${columns}
  FROM courses c ${rowsOf(`ARRAY(SELECT user_id ${students} ${inOrder} ${limit})`)}
  ${existing} ORDER BY page.place`;

// The subquery computes the pattern once and not for each row. LIKE compares bytes, as position() does, but does not count the
// characters before a match, which took a third of the time when all rows match.
const isFound = 'is_enrolled AND people_search_text LIKE (SELECT people_search_pattern($4))';
// One scan of an index without order (roster_search_2) counts the matches and collects their ids. `c.id` instead of $1, because a
// subquery with a reference to the outer row is never parallel: processes cost more here than they save.
const allFound = `
  SELECT count(*)::int AS total, array_agg(user_id) AS ids FROM roster WHERE course_id = c.id AND ${isFound}`;
// A few matches are sorted. A page of many comes from a second scan in the order of the list, which ends with the page: to sort
// a hundred thousand takes ten times as long as to find them.
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

// An update without changes that fires the trigger which copies names (migrations/0001-courses.sql).
const copyNextBatch = `
  WITH next AS (SELECT user_id FROM people WHERE user_id > $1 ORDER BY user_id LIMIT $2 FOR NO KEY UPDATE)
  UPDATE people SET revision = revision FROM next WHERE people.user_id = next.user_id
  RETURNING people.user_id AS id`;
const copiedPerBatch = 500;

/** Selects all users whose names the lists show. */
export const selectReferencedUsers = 'SELECT user_id FROM roster UNION SELECT user_id FROM instructors';

/** Selects the users without a name: it was never fetched, or the account was deleted. */
export const selectUsersWithoutName = 'SELECT user_id FROM roster WHERE last_name IS NULL';

const isStudent = (row: Row): row is Row & { id: number } => row.id !== null;

/** The students of a course. */
export class StudentRepository {
  readonly #db: Sequelize;
  readonly #lists: ListReads;

  constructor(sequelize: Sequelize, lists: ListReads = primaryReads(sequelize)) {
    this.#db = sequelize;
    this.#lists = lists;
  }

  /**
   * One page of a course's students by last name, first name and id. A non-empty `search` limits it to students whose
   * full name, address or mobile number contains the text (D57). Undefined when there is no such course.
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

  /** Copies all names again into the `roster` columns that lists search and sort by. */
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
