import { selectRows } from '@gradeway/shared/database/connection';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { AssignmentProperties, Homework } from '../domain/homework.ts';
import type { Models } from './models.ts';

type Assignment = AssignmentProperties & { fileId: number | null };

interface LockedClass {
  isDeleted: boolean;
  hasAssignment: boolean;
  /** Also the one that was removed; empty where there never was one. */
  assignment: Assignment;
}

const select = `
  SELECT c.class_id AS id, c.title, c.course_id AS "courseId", c.created_at AS "createdAt",
    CASE WHEN NOT o.is_deleted THEN o.title END AS "courseTitle",
    a.deadline, a.description, a.file_id AS "fileId"`;

const joins = 'JOIN assignments a USING (class_id) LEFT JOIN courses o USING (course_id)';

const find = `${select} FROM classes c ${joins} WHERE c.class_id = $1 AND c.is_listed`;

// The rows before the page are only counted in the index, never read.
const page = (filter: string) => `
  ${select} FROM (
    SELECT class_id FROM classes WHERE is_listed ${filter}
    ORDER BY created_at DESC, class_id DESC LIMIT $1 OFFSET $2
  ) AS page JOIN classes c USING (class_id) ${joins}
  ORDER BY c.created_at DESC, c.class_id DESC`;

const total = (filter: string) =>
  `SELECT coalesce(sum(total), 0)::integer AS total FROM homework_totals ${filter}`;

// Uploads for the class refer to this row and need not wait for it.
const lockClass = `
  SELECT is_deleted AS "isDeleted", has_assignment AS "hasAssignment"
  FROM classes WHERE class_id = $1 FOR NO KEY UPDATE`;

const addToLists = 'UPDATE classes SET has_assignment = true WHERE class_id = $1 AND NOT has_assignment';
const takeFromLists = `
  UPDATE classes SET has_assignment = false WHERE class_id = $1 AND is_listed
  RETURNING class_id`;

/** Classes that carry an assignment. A deleted class carries none (D43). */
export class HomeworkRepository {
  readonly #sequelize: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#sequelize = sequelize;
    this.#models = models;
  }

  async find(classId: number): Promise<Homework | undefined> {
    const [row] = await selectRows<Homework>(this.#sequelize, find, [classId]);
    return row;
  }

  /** One page of all, newest class first; of some courses where these are given. */
  async page(wanted: Page, courseIds?: number[]): Promise<{ homeworks: Homework[]; total: number }> {
    const count = await this.#total(courseIds);
    const offset = offsetOf(wanted, count);
    if (offset === undefined) return { homeworks: [], total: count };
    const [sql, bind] = courseIds
      ? [page('AND course_id = ANY($3)'), [wanted.size, offset, courseIds]]
      : [page(''), [wanted.size, offset]];
    return { homeworks: await selectRows<Homework>(this.#sequelize, sql, bind), total: count };
  }

  /** A class, deleted or not, kept from other changes until the transaction ends. */
  async lockClass(classId: number, transaction: Transaction): Promise<LockedClass | undefined> {
    const bind = [classId];
    const [row] = await selectRows<Omit<LockedClass, 'assignment'>>(
      this.#sequelize,
      lockClass,
      bind,
      transaction,
    );
    if (!row) return undefined;
    const assignment = await this.#models.Assignment.findByPk(classId, { transaction });
    const { deadline = null, description = null, fileId = null } = assignment?.get() ?? {};
    return { ...row, assignment: { deadline, description, fileId } };
  }

  /** Gives a class this assignment, in the place of the one that it has. */
  async setAssignment(classId: number, assignment: Assignment, transaction: Transaction): Promise<void> {
    await this.#models.Assignment.upsert({ classId, ...assignment }, { transaction });
    await this.#sequelize.query(addToLists, { bind: [classId], transaction });
  }

  /** Removes the assignment of a class; its submissions stay. False when it has none. */
  async removeAssignment(classId: number): Promise<boolean> {
    const rows = await selectRows(this.#sequelize, takeFromLists, [classId]);
    return rows.length === 1;
  }

  async #total(courseIds?: number[]): Promise<number> {
    const [row] = await (courseIds
      ? selectRows<{ total: number }>(this.#sequelize, total('WHERE course_id = ANY($1)'), [courseIds])
      : selectRows<{ total: number }>(this.#sequelize, total('')));
    return row?.total ?? 0;
  }
}
