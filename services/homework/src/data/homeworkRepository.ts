import type { ListReads } from '@gradeway/shared/database/listReads';
import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import { administratorsSettings } from '@gradeway/shared/items/item';
import { allowanceColumns, joinAllowance } from '@gradeway/shared/items/ownTimes';
import { settingsColumns } from '@gradeway/shared/items/settingsColumns';
import type { Sequelize, Transaction } from 'sequelize';
import type { AssignmentProperties, Homework, HomeworkOfStudent, OwnHomework } from '../domain/homework.ts';
import type { Models } from './models.ts';

interface Assignment extends AssignmentProperties, Pick<Homework, 'releasedAt' | 'revision' | 'assignedAt'> {
  fileId: number | null;
}

const unassigned = {
  ...administratorsSettings,
  ...{ opensAt: null, closesAt: null, releasedAt: null, description: null, fileId: null, revision: 0 },
};

interface LockedClass {
  isDeleted: boolean;
  hasAssignment: boolean;
  /** Set for a removed assignment too; without times, description and file if there never was one. */
  assignment: Assignment;
}

const select = `
  SELECT c.class_id AS id, c.title, c.course_id AS "courseId", c.created_at AS "createdAt",
    CASE WHEN NOT o.is_deleted THEN o.title END AS "courseTitle",
    a.deadline AS "closesAt", a.opens_at AS "opensAt", a.description, a.file_id AS "fileId",
    a.created_at AS "assignedAt", a.revision, ${settingsColumns('a')}`;

const joins = 'JOIN assignments a USING (class_id) LEFT JOIN courses o USING (course_id)';

const find = `${select} FROM classes c ${joins} WHERE c.class_id = $1 AND c.is_listed`;

const findForStudent = `
  ${select}, p.user_id IS NOT NULL AS "isStudentKnown", ${allowanceColumns}
  FROM classes c ${joins} LEFT JOIN people p ON p.user_id = $2 ${joinAllowance('c.class_id', '$2')}
  WHERE c.class_id = $1 AND c.is_listed`;

// Skips the rows before the page in the index alone.
const pageOfStudent = `
  ${select}, ${allowanceColumns} FROM (
    SELECT class_id FROM classes WHERE is_listed AND course_id = ANY($3::integer[])
    ORDER BY created_at DESC, class_id DESC LIMIT $1 OFFSET $2
  ) AS page JOIN classes c USING (class_id) ${joins} ${joinAllowance('c.class_id', '$4')}
  ORDER BY c.created_at DESC, c.class_id DESC`;

const totalOfCourses = `
  SELECT coalesce(sum(total), 0)::integer AS total FROM homework_totals WHERE course_id = ANY($1::integer[])`;

/** Classes with an assignment. A deleted class has none (D43). */
export class HomeworkRepository {
  readonly #db: Sequelize;
  readonly #models: Models;
  readonly #lists: ListReads;

  constructor(sequelize: Sequelize, models: Models, lists: ListReads) {
    this.#db = sequelize;
    this.#models = models;
    this.#lists = lists;
  }

  async find(classId: number): Promise<Homework | undefined> {
    const [row] = await query<Homework>(this.#db, { sql: find, values: [classId] });
    return row;
  }

  /** Finds a homework with the stored state of a student who uploads files. */
  async findForStudent(classId: number, studentId: number): Promise<HomeworkOfStudent | undefined> {
    const values = [classId, studentId];
    const name = 'homework of student';
    const [row] = await query<HomeworkOfStudent>(this.#db, { name, sql: findForStudent, values });
    return row;
  }

  /** One page of a student's homework, in these courses, newest class first. */
  async pageOfStudent(
    studentId: number,
    courseIds: number[],
    page: Page,
  ): Promise<SelectedPage<OwnHomework>> {
    return this.#lists.read(async (select) => {
      const [counted] = await select<{ total: number }>({
        name: 'amount of homework',
        sql: totalOfCourses,
        values: [courseIds],
      });
      return selectPage(page, counted?.total ?? 0, (limit, offset) =>
        select<OwnHomework>({
          name: 'homework of a student',
          sql: pageOfStudent,
          values: [limit, offset, courseIds, studentId],
        }),
      );
    });
  }

  /** Finds a class, deleted or not, and locks it until the end of the transaction. */
  async lockClass(classId: number, transaction: Transaction): Promise<LockedClass | undefined> {
    // This lock does not block uploads, whose rows refer to the class.
    const options = { transaction, lock: transaction.LOCK.NO_KEY_UPDATE };
    const row = await this.#models.Class.findByPk(classId, options);
    if (!row) return undefined;
    const assignment = await this.#models.Assignment.findByPk(classId, { transaction });
    const { isDeleted, hasAssignment } = row;
    if (!assignment)
      return { isDeleted, hasAssignment, assignment: { ...unassigned, assignedAt: new Date() } };
    const { classId: _, createdAt: assignedAt, ...stored } = assignment.get();
    return { isDeleted, hasAssignment, assignment: { ...stored, assignedAt } };
  }

  /** Stores the assignment of a class, replacing an earlier one, and lists the class. */
  async saveAssignment(
    classId: number,
    { assignedAt: createdAt, ...assignment }: Assignment,
    transaction: Transaction,
  ): Promise<void> {
    await this.#models.Assignment.upsert({ classId, createdAt, ...assignment }, { transaction });
    await this.#setHasAssignment(true, { classId, hasAssignment: false }, transaction);
  }

  /** Removes the assignment of a class. Its submissions remain. Returns false if the class has none. */
  async removeAssignment(classId: number, transaction: Transaction): Promise<boolean> {
    return (await this.#setHasAssignment(false, { classId, isListed: true }, transaction)) === 1;
  }

  async #setHasAssignment(
    hasAssignment: boolean,
    where: { classId: number; hasAssignment?: boolean; isListed?: boolean },
    transaction: Transaction,
  ): Promise<number> {
    const [changed] = await this.#models.Class.update({ hasAssignment }, { where, transaction });
    return changed;
  }
}
