import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import { userEmail, userName } from '@gradeway/shared/projections/userColumns';
import type { CourseRole } from '@gradeway/shared/teaching/teachingClient';
import type { Sequelize, Transaction } from 'sequelize';
import type { AccountRevision, Instructor } from '../domain/instructor.ts';

type Key = Pick<Instructor, 'courseId' | 'userId'>;

/** An instructor in a course's list. */
export interface ListedInstructor {
  id: number;
  name: string;
  email: string | null;
  role: CourseRole;
}

interface AccountState {
  isDeleted: boolean;
  revision: number;
}

const columns = 'course_id AS "courseId", user_id AS "userId", role, revision';

const lock = `
  SELECT ${columns} FROM instructors WHERE course_id = $1 AND user_id = $2 AND is_assigned FOR NO KEY UPDATE`;
const lockTeachers = `
  SELECT user_id AS id FROM instructors WHERE course_id = $1 AND is_assigned AND role = 'teacher'
  ORDER BY user_id FOR NO KEY UPDATE`;
const keep = `
  UPDATE instructors SET account_revision = greatest(account_revision, $3) WHERE course_id = $1 AND user_id = $2`;
const assign = `
  INSERT INTO instructors AS i (course_id, user_id, account_revision, role) VALUES ($1, $2, $3, $4)
  ON CONFLICT (course_id, user_id) DO UPDATE SET
    is_assigned = true, role = excluded.role, revision = i.revision + 1,
    account_revision = CASE WHEN i.is_assigned THEN greatest(i.account_revision, excluded.account_revision)
      ELSE excluded.account_revision END
  RETURNING ${columns}`;
const remove = `
  UPDATE instructors SET is_assigned = false, revision = revision + 1
  WHERE course_id = $1 AND user_id = $2 AND is_assigned RETURNING ${columns}`;
const removeAll = `
  UPDATE instructors SET is_assigned = false, revision = revision + 1
  FROM unnest($1::int[], $2::int[]) AS accounts (account_id, newer)
  WHERE user_id = account_id AND is_assigned AND account_revision < newer RETURNING ${columns}`;
const accountState = 'SELECT is_deleted AS "isDeleted", revision FROM people WHERE user_id = $1';

// A deleted course has no instructors.
const taught = `
  FROM instructors i JOIN courses c ON c.id = i.course_id AND c.deleted_at IS NULL
  WHERE i.user_id = $1 AND i.is_assigned`;
const roleIn = `SELECT i.role ${taught} AND i.course_id = $2`;
const isTeacher = `SELECT EXISTS (SELECT ${taught} AND i.role = 'teacher') AS "isTeacher"`;
const taughtAfter = `SELECT i.course_id AS id ${taught} AND i.course_id > $2 ORDER BY i.course_id LIMIT $3`;

// Sorted like students, but without an index, because a course has few instructors.
const ofCourse =
  'FROM instructors i LEFT JOIN people p USING (user_id) WHERE i.course_id = $1 AND i.is_assigned';
const inOrder = ['last_name', 'first_name']
  .map((column) => `search_form(coalesce(p.${column}, '')) COLLATE "und-x-icu"`)
  .join(', ');
const countOfCourse = `SELECT count(*)::int AS total ${ofCourse}`;
const pageOfCourse = `
  SELECT user_id AS id, coalesce(${userName}, '') AS name, ${userEmail} AS email, role ${ofCourse}
  ORDER BY ${inOrder}, user_id LIMIT $2 OFFSET $3`;

/** Stores the instructors of courses. */
export class InstructorRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /**
   * Assigns an instructor, or changes their role, and returns the assignment before the change, if there was one, and
   * after it. Concurrent calls for one account wait for each other because they lock its name first.
   * @param role undefined keeps the role of an assigned instructor; a new one becomes a teacher
   * @param accountRevision a revision at which the account has the role of an instructor
   */
  async assign(
    { courseId, userId }: Key,
    role: CourseRole | undefined,
    accountRevision: number,
    transaction: Transaction,
  ): Promise<{ before: Instructor | undefined; after: Instructor }> {
    const values = [courseId, userId];
    const [before] = await query<Instructor>(this.#db, { sql: lock, values, transaction });
    const newRole = role ?? before?.role ?? 'teacher';
    if (before && before.role === newRole) {
      await query(this.#db, { sql: keep, values: [...values, accountRevision], transaction });
      return { before, after: before };
    }
    const assigned = [...values, accountRevision, newRole];
    const [after] = await query<Instructor>(this.#db, { sql: assign, values: assigned, transaction });
    if (!after) throw new Error(`instructor ${courseId}/${userId} was not assigned`);
    return { before, after };
  }

  /** Returns the teachers of a course, and locks their assignments until the transaction ends. */
  async lockTeachers(courseId: number, transaction: Transaction): Promise<number[]> {
    const rows = await query<{ id: number }>(this.#db, {
      sql: lockTeachers,
      values: [courseId],
      transaction,
    });
    return rows.map(({ id }) => id);
  }

  /** Removes an instructor. Returns undefined if they are not assigned. */
  async remove({ courseId, userId }: Key, transaction: Transaction): Promise<Instructor | undefined> {
    const [row] = await query<Instructor>(this.#db, { sql: remove, values: [courseId, userId], transaction });
    return row;
  }

  /**
   * Removes users from every course and returns the ended assignments. Assignments made at a later revision of the
   * account remain.
   */
  removeAll(accounts: AccountRevision[], transaction: Transaction): Promise<Instructor[]> {
    const values = [accounts.map(({ userId }) => userId), accounts.map(({ revision }) => revision)];
    return query(this.#db, { sql: removeAll, values, transaction });
  }

  /** Returns the newest state of an account received from auth, by event or response. */
  async accountState(userId: number, transaction: Transaction): Promise<AccountState | undefined> {
    const [row] = await query<AccountState>(this.#db, { sql: accountState, values: [userId], transaction });
    return row;
  }

  /** Returns the role of a user in an existing course; undefined for a user who is not an instructor of it. */
  async roleIn(userId: number, courseId: number): Promise<CourseRole | undefined> {
    const [row] = await query<{ role: CourseRole }>(this.#db, { sql: roleIn, values: [userId, courseId] });
    return row?.role;
  }

  /** Whether a user is the teacher of an existing course. */
  async isTeacher(userId: number): Promise<boolean> {
    const [row] = await query<{ isTeacher: boolean }>(this.#db, { sql: isTeacher, values: [userId] });
    return row?.isTeacher ?? false;
  }

  /** Returns an instructor's next courses in id order. */
  async taughtCourseIds(userId: number, after: number, limit: number): Promise<number[]> {
    const rows = await query<{ id: number }>(this.#db, { sql: taughtAfter, values: [userId, after, limit] });
    return rows.map(({ id }) => id);
  }

  /** Returns one page of a course's instructors by last name, first name and id. */
  async pageOfCourse(courseId: number, page: Page): Promise<SelectedPage<ListedInstructor>> {
    const [counted] = await query<{ total: number }>(this.#db, { sql: countOfCourse, values: [courseId] });
    return selectPage(page, counted?.total ?? 0, (limit, offset) =>
      query<ListedInstructor>(this.#db, { sql: pageOfCourse, values: [courseId, limit, offset] }),
    );
  }
}
