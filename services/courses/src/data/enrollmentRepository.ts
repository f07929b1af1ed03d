import { selectRows } from '@gradeway/shared/database/connection';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Enrollment } from '../domain/enrollment.ts';
import type { Models } from './models.ts';

type Key = Pick<Enrollment, 'courseId' | 'userId'>;

/** What a user may do in a course. */
interface Access {
  courseExists: boolean;
  /** Whether the class that was asked about is one of the course. */
  classExists: boolean;
  enrolled: boolean;
  paid: boolean;
}

/** A course as its student's list shows it. */
interface OwnCourse {
  id: number;
  title: string;
  paid: boolean;
}

// A row may be there already without any enrollment: of a student who has a grade.
const insertOnce = 'INSERT INTO roster (course_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING';

const endAll = `
  UPDATE roster SET is_enrolled = false, revision = revision + 1
  WHERE user_id = $1 AND is_enrolled
  RETURNING course_id AS "courseId", user_id AS "userId", is_enrolled AS "isEnrolled", paid, revision`;

// Nobody is enrolled in a course that was deleted; its classes are classes still.
const access = `
  SELECT c.id IS NOT NULL AS "courseExists", k.id IS NOT NULL AS "classExists",
    coalesce(r.is_enrolled, false) AS enrolled, coalesce(r.is_enrolled AND r.paid, false) AS paid
  FROM (SELECT $1::int AS user_id, $2::int AS course_id, $3::int AS class_id) AS asked
  LEFT JOIN courses c ON c.id = asked.course_id AND c.deleted_at IS NULL
  LEFT JOIN classes k ON k.id = asked.class_id AND k.course_id = asked.course_id AND k.deleted_at IS NULL
  LEFT JOIN roster r ON r.course_id = c.id AND r.user_id = asked.user_id`;

const ofUser = `
  FROM roster r JOIN courses c ON c.id = r.course_id AND c.deleted_at IS NULL
  WHERE r.user_id = $1 AND r.is_enrolled`;
const countOfUser = `SELECT count(*)::int AS total ${ofUser}`;
const pageOfUser = `SELECT c.id, c.title, r.paid ${ofUser} ORDER BY c.created_at DESC, c.id DESC LIMIT $2 OFFSET $3`;
const paidOfUser = `SELECT c.id ${ofUser} AND r.paid ORDER BY c.id`;
const unpaidOfUser = `SELECT count(*)::int AS total ${ofUser} AND NOT r.paid`;

export class EnrollmentRepository {
  readonly #sequelize: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#sequelize = sequelize;
    this.#models = models;
  }

  /** Keeps an enrollment from other changes until the transaction ends; also one that was ended. */
  async lock(key: Key, transaction: Transaction): Promise<Enrollment | undefined> {
    const { courseId, userId } = key;
    const row = await this.#models.Enrollment.findOne({
      where: { courseId, userId },
      transaction,
      lock: true,
    });
    return row?.get();
  }

  /** The same, making one of revision 0 that is not in force when there never was any. */
  async lockOrCreate(key: Key, transaction: Transaction): Promise<Enrollment> {
    await this.#sequelize.query(insertOnce, { bind: [key.courseId, key.userId], transaction });
    const enrollment = await this.lock(key, transaction);
    if (!enrollment) throw new Error(`enrollment ${key.courseId}/${key.userId} was not made`);
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

  /** Ends all enrollments of a user. Returns those that it ended. */
  endAll(userId: number, transaction: Transaction): Promise<Enrollment[]> {
    return selectRows<Enrollment>(this.#sequelize, endAll, [userId], transaction);
  }

  /** Whether the account is known to have been deleted. */
  async isAccountDeleted(userId: number, transaction: Transaction): Promise<boolean> {
    const deleted = 'SELECT user_id FROM people WHERE user_id = $1 AND is_deleted';
    return (await selectRows(this.#sequelize, deleted, [userId], transaction)).length > 0;
  }

  async access(userId: number, courseId: number, classId: number | null): Promise<Access> {
    const [row] = await selectRows<Access>(this.#sequelize, access, [userId, courseId, classId]);
    if (!row) throw new Error('the access query returned nothing');
    return row;
  }

  /** The courses in which a user is enrolled and has paid. */
  async paidCourses(userId: number): Promise<number[]> {
    return (await selectRows<{ id: number }>(this.#sequelize, paidOfUser, [userId])).map(({ id }) => id);
  }

  /** In how many courses a user is enrolled but has not paid. */
  countUnpaid(userId: number): Promise<number> {
    return this.#count(unpaidOfUser, userId);
  }

  /** One page of a user's own courses, newest first. */
  async pageOfUser(userId: number, page: Page): Promise<{ courses: OwnCourse[]; total: number }> {
    const total = await this.#count(countOfUser, userId);
    const offset = offsetOf(page, total);
    if (offset === undefined) return { courses: [], total };
    const bind = [userId, page.size, offset];
    return { courses: await selectRows<OwnCourse>(this.#sequelize, pageOfUser, bind), total };
  }

  async #count(query: string, userId: number): Promise<number> {
    const [row] = await selectRows<{ total: number }>(this.#sequelize, query, [userId]);
    return row?.total ?? 0;
  }
}
