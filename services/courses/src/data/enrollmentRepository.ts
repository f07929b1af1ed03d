import { query } from '@gradeway/shared/database/query';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Enrollment } from '../domain/enrollment.ts';
import type { Models } from './models.ts';

type Key = Pick<Enrollment, 'courseId' | 'userId'>;

/** Whether a user may work in a course. */
interface Access {
  courseExists: boolean;
  /** Whether the requested class belongs to the course. */
  classExists: boolean;
  enrolled: boolean;
  paid: boolean;
  /** How long the user's attempts at quizzes last, in percent; 0 without an accommodation. */
  timePercent: number;
}

/** A course that a student has paid for. */
interface PaidCourse {
  courseId: number;
  timePercent: number;
}

/** A course in a student's list. */
interface OwnCourse {
  id: number;
  title: string;
  paid: boolean;
}

const endAll = `
  UPDATE roster SET is_enrolled = false, revision = revision + 1
  WHERE user_id = $1 AND is_enrolled
  RETURNING course_id AS "courseId", user_id AS "userId", is_enrolled AS "isEnrolled", paid, revision`;

// A deleted course has no enrollments, but its classes still exist.
const access = `
  SELECT c.id IS NOT NULL AS "courseExists", k.id IS NOT NULL AS "classExists",
    coalesce(r.is_enrolled, false) AS enrolled, coalesce(r.is_enrolled AND r.paid, false) AS paid,
    coalesce(a.time_percent, 0) AS "timePercent"
  FROM (SELECT $1::int AS user_id, $2::int AS course_id, $3::int AS class_id) AS requested
  LEFT JOIN courses c ON c.id = requested.course_id AND c.deleted_at IS NULL
  LEFT JOIN classes k ON k.id = requested.class_id AND k.course_id = requested.course_id AND k.deleted_at IS NULL
  LEFT JOIN roster r ON r.course_id = c.id AND r.user_id = requested.user_id
  LEFT JOIN accommodations a ON a.course_id = r.course_id AND a.student_id = r.user_id AND r.is_enrolled`;

const ofUser = `
  FROM roster r JOIN courses c ON c.id = r.course_id AND c.deleted_at IS NULL
  WHERE r.user_id = $1 AND r.is_enrolled`;
const countUserCourses = `SELECT count(*)::int AS total ${ofUser}`;
const pageOfUserCourses = `SELECT c.id, c.title, r.paid ${ofUser} ORDER BY c.created_at DESC, c.id DESC LIMIT $2 OFFSET $3`;
const paidOfUser = `
  SELECT c.id AS "courseId", coalesce((
    SELECT time_percent FROM accommodations a WHERE a.course_id = c.id AND a.student_id = r.user_id), 0) AS "timePercent"
  ${ofUser} AND r.paid ORDER BY c.id`;
const enrolledOf = `
  SELECT r.user_id AS id FROM roster r JOIN courses c ON c.id = r.course_id AND c.deleted_at IS NULL
  WHERE r.course_id = $1 AND r.user_id = ANY($2::int[]) AND r.is_enrolled`;
const unpaidOfUser = `SELECT count(*)::int AS total ${ofUser} AND NOT r.paid`;

export class EnrollmentRepository {
  readonly #db: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#db = sequelize;
    this.#models = models;
  }

  /** Finds an enrollment, ended or not, and locks it until the transaction ends. */
  async lock(key: Key, transaction: Transaction): Promise<Enrollment | undefined> {
    const { courseId, userId } = key;
    const row = await this.#models.Enrollment.findOne({
      where: { courseId, userId },
      transaction,
      lock: true,
    });
    return row?.get();
  }

  /** Like `lock`, but creates an inactive enrollment with revision 0 if there never was one. */
  async lockOrCreate(key: Key, transaction: Transaction): Promise<Enrollment> {
    // A student who was graded without an enrollment has a row already.
    await this.#models.Enrollment.bulkCreate([key], {
      fields: ['courseId', 'userId'],
      ignoreDuplicates: true,
      transaction,
    });
    const enrollment = await this.lock(key, transaction);
    if (!enrollment) throw new Error(`enrollment ${key.courseId}/${key.userId} was not created`);
    return enrollment;
  }

  async update(
    before: Enrollment,
    changes: Partial<Pick<Enrollment, 'isEnrolled' | 'paid'>>,
    transaction: Transaction,
  ): Promise<Enrollment> {
    const { courseId, userId } = before;
    const values = { ...changes, revision: before.revision + 1 };
    await this.#models.Enrollment.update(values, { where: { courseId, userId }, transaction });
    return { ...before, ...values };
  }

  /** Ends and returns all active enrollments of a user. */
  endAll(userId: number, transaction: Transaction): Promise<Enrollment[]> {
    return query<Enrollment>(this.#db, { sql: endAll, values: [userId], transaction });
  }

  /** Whether the deletion of the account has been received. */
  async isAccountDeleted(userId: number, transaction: Transaction): Promise<boolean> {
    const deleted = 'SELECT user_id FROM people WHERE user_id = $1 AND is_deleted';
    return (await query(this.#db, { sql: deleted, values: [userId], transaction })).length > 0;
  }

  async checkAccess(userId: number, courseId: number, classId: number | null): Promise<Access> {
    const [row] = await query<Access>(this.#db, { sql: access, values: [userId, courseId, classId] });
    if (!row) throw new Error('the access query returned nothing');
    return row;
  }

  /** Returns the courses that a user is enrolled in and has paid for. */
  paidCourses(userId: number): Promise<PaidCourse[]> {
    return query<PaidCourse>(this.#db, { sql: paidOfUser, values: [userId] });
  }

  /** Returns which of these users are enrolled in a course, paid or not. */
  async enrolledOf(courseId: number, userIds: number[]): Promise<number[]> {
    const rows = await query<{ id: number }>(this.#db, { sql: enrolledOf, values: [courseId, userIds] });
    return rows.map(({ id }) => id);
  }

  /** Counts the courses that a user is enrolled in but has not paid for. */
  countUnpaid(userId: number): Promise<number> {
    return this.#count(unpaidOfUser, userId);
  }

  /** Returns one page of the courses that a user is enrolled in, newest first. */
  async pageOfUser(userId: number, page: Page): Promise<{ courses: OwnCourse[]; total: number }> {
    const total = await this.#count(countUserCourses, userId);
    const offset = offsetOf(page, total);
    if (offset === undefined) return { courses: [], total };
    const values = [userId, page.size, offset];
    return {
      courses: await query<OwnCourse>(this.#db, { sql: pageOfUserCourses, values }),
      total,
    };
  }

  async #count(sql: string, userId: number): Promise<number> {
    const [row] = await query<{ total: number }>(this.#db, { sql, values: [userId] });
    return row?.total ?? 0;
  }
}
