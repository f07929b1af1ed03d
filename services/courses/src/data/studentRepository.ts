import { inTransaction, selectRows } from '@gradeway/shared/database/connection';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize } from 'sequelize';

/** A student in the list of a course. */
export interface CourseStudent {
  id: number;
  name: string;
  email: string | null;
}

const studentCount = 'SELECT student_count AS total FROM courses WHERE id = $1 AND deleted_at IS NULL';

const students = 'FROM roster WHERE course_id = $1 AND is_enrolled';
const found = `${students} AND position(search_form($2) IN search_text) > 0`;
const inOrder = 'ORDER BY last_name_key, first_name_key, user_id';

// An index-only scan finds the ids of the page, however far back it is; only those rows are then read.
const readPage = (page: string) => `
  SELECT r.user_id AS id, r.email,
    concat_ws(' ', nullif(r.first_name, ''), nullif(r.last_name, '')) AS name
  FROM (${page}) AS page JOIN roster r ON r.course_id = $1 AND r.user_id = page.id
  ${inOrder}`;

const pageOfAll = readPage(`SELECT user_id AS id ${students} ${inOrder} LIMIT $2 OFFSET $3`);
const pageOfFound = readPage(`SELECT user_id AS id ${found} ${inOrder} LIMIT $3 OFFSET $4`);
const countFound = `SELECT count(*)::int AS total ${found}`;

// An update without changes that fires the trigger which copies names (migrations/0001-courses.sql).
const copyNextBatch = `
  WITH next AS (SELECT user_id FROM people WHERE user_id > $1 ORDER BY user_id LIMIT $2 FOR NO KEY UPDATE)
  UPDATE people SET revision = revision FROM next WHERE people.user_id = next.user_id
  RETURNING people.user_id AS id`;
const copiedPerBatch = 500;

/** Selects all users whose names the lists show. */
export const selectReferencedUsers = 'SELECT user_id FROM roster';

/** Selects the users without a name: it was never fetched, or the account was deleted. */
export const selectUsersWithoutName = 'SELECT user_id FROM roster WHERE last_name IS NULL';

/** The students of a course. */
export class StudentRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /**
   * One page of a course's students by last name, first name and id. A non-empty `search` limits it to students whose
   * first name, last name or email address contains the text. Undefined when there is no such course.
   */
  async pageOfCourse(
    courseId: number,
    page: Page,
    search: string,
  ): Promise<{ students: CourseStudent[]; total: number } | undefined> {
    const all = await this.#total(studentCount, [courseId]);
    if (all === undefined) return undefined;
    const bind = search === '' ? [courseId] : [courseId, search];
    const total = search === '' ? all : ((await this.#total(countFound, bind)) ?? 0);
    const offset = offsetOf(page, total);
    if (offset === undefined) return { students: [], total };
    const query = search === '' ? pageOfAll : pageOfFound;
    const rows = await selectRows<CourseStudent>(this.#sequelize, query, [...bind, page.size, offset]);
    return { students: rows, total };
  }

  /** Copies all names again into the `roster` columns that lists search and sort by. */
  async copyNames(): Promise<void> {
    for (let lastId = 0; ; ) {
      const copied = await inTransaction(this.#sequelize, (transaction) =>
        selectRows<{ id: number }>(this.#sequelize, copyNextBatch, [lastId, copiedPerBatch], transaction),
      );
      if (copied.length === 0) return;
      lastId = Math.max(...copied.map(({ id }) => id));
    }
  }

  async #total(query: string, bind: unknown[]): Promise<number | undefined> {
    const [row] = await selectRows<{ total: number }>(this.#sequelize, query, bind);
    return row?.total;
  }
}
