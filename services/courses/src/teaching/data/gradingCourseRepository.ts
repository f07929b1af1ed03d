import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import type { Sequelize } from 'sequelize';
import type { GradingCourse } from '../domain/gradingCourse.ts';

const all = 'FROM courses c WHERE c.deleted_at IS NULL';
const some = `${all} AND c.id = ANY($1::integer[])`;
const taught = `
  FROM instructors i JOIN courses c ON c.id = i.course_id AND c.deleted_at IS NULL
  WHERE i.user_id = $1 AND i.is_assigned AND ($2::integer[] IS NULL OR c.id = ANY($2))`;

const countAll = 'SELECT total FROM course_total';
const countSome = `SELECT count(*)::int AS total ${some}`;
const countTaught = `SELECT count(*)::int AS total ${taught}`;

const byTitle = (title: string, id: string) => `${title} COLLATE "und-x-icu", ${id}`;
// Counts students only for the rows of the page, not for the skipped ones.
const pageOf = (courses: string, role: string, limit: string) => `
  SELECT page.id, page.title, page.role,
    (SELECT count(*)::int FROM roster r WHERE r.course_id = page.id AND r.is_enrolled AND r.paid) AS students
  FROM (SELECT c.id, c.title, ${role} AS role ${courses} ORDER BY ${byTitle('c.title', 'c.id')} ${limit}) AS page
  ORDER BY ${byTitle('page.title', 'page.id')}`;
const pageOfAll = pageOf(all, "'teacher'", 'LIMIT $1 OFFSET $2');
const pageOfSome = pageOf(some, "'teacher'", 'LIMIT $2 OFFSET $3');
const pageOfTaught = pageOf(taught, 'i.role', 'LIMIT $3 OFFSET $4');

/** Lists the courses of graders by title. */
export class GradingCourseRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns one page of all courses, or of those among `ids`. */
  pageOfAll(page: Page, ids?: number[]): Promise<SelectedPage<GradingCourse>> {
    return ids
      ? this.#page(page, { count: countSome, select: pageOfSome, bind: [ids] })
      : this.#page(page, { count: countAll, select: pageOfAll, bind: [] });
  }

  /** Returns one page of the courses that a user teaches, or of those among `ids`. */
  pageOfInstructor(userId: number, page: Page, ids?: number[]): Promise<SelectedPage<GradingCourse>> {
    return this.#page(page, { count: countTaught, select: pageOfTaught, bind: [userId, ids ?? null] });
  }

  async #page(
    page: Page,
    { count, select, bind: values }: { count: string; select: string; bind: unknown[] },
  ) {
    const [counted] = await query<{ total: number }>(this.#db, { sql: count, values });
    return selectPage(page, counted?.total ?? 0, (limit, offset) =>
      query<GradingCourse>(this.#db, { sql: select, values: [...values, limit, offset] }),
    );
  }
}
