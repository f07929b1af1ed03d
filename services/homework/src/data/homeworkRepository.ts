import { type ListReads, primaryReads } from '@gradeway/shared/database/listReads';
import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import { administratorsSettings } from '@gradeway/shared/items/item';
import { allowanceColumns, joinAllowance } from '@gradeway/shared/items/ownTimes';
import { settingsColumns } from '@gradeway/shared/items/settingsColumns';
import { questionsOf } from '@gradeway/shared/questions/listedQuestions';
import type { Sequelize, Transaction } from 'sequelize';
import type {
  ClassOfAssignment,
  Homework,
  HomeworkOfStudent,
  ListedHomework,
  StoredAssignment,
} from '../domain/homework.ts';
import type { Models } from './models.ts';

const unassigned = {
  ...administratorsSettings,
  ...{ opensAt: null, closesAt: null, releasedAt: null, description: null, fileId: null, revision: 0 },
};

/** An assignment, removed or not. */
export type HomeworkState = Homework & { isDeleted: boolean };

interface LockedClass extends ClassOfAssignment {
  isDeleted: boolean;
  hasAssignment: boolean;
  /** Set for a removed assignment too; without times, description and file if the class never had an assignment. */
  assignment: StoredAssignment;
}

const select = `
  SELECT c.class_id AS id, c.title, c.course_id AS "courseId", c.created_at AS "createdAt",
    CASE WHEN NOT o.is_deleted THEN o.title END AS "courseTitle",
    a.deadline AS "closesAt", a.opens_at AS "opensAt", a.description, a.file_id AS "fileId",
    a.created_at AS "assignedAt", a.revision, ${settingsColumns('a')}`;

/** SQL for whether students see the assignment of a listed class. */
const isShown = '(a.published AND (a.opens_at IS NULL OR a.opens_at <= now()))';

const joins = 'JOIN assignments a USING (class_id) LEFT JOIN courses o USING (course_id)';

const find = `${select} FROM classes c ${joins} WHERE c.class_id = $1 AND c.is_listed`;

const findForStudent = `
  ${select}, p.user_id IS NOT NULL AS "isStudentKnown", ${allowanceColumns}
  FROM classes c ${joins} LEFT JOIN people p ON p.user_id = $2 ${joinAllowance('c.class_id', '$2')}
  WHERE c.class_id = $1 AND c.is_listed AND a.published`;

const shown = `SELECT FROM assignments a WHERE a.class_id = $1 AND ${isShown}`;

// OFFSET 0 keeps the classes in the order of their index, regardless of the planner's estimates.
const pageOfStudent = `
  ${select}, ${allowanceColumns}, ${questionsOf('c.class_id')} FROM (
    SELECT class_id FROM classes
    WHERE is_listed AND course_id = ANY($3::integer[])
      AND EXISTS (SELECT FROM assignments a WHERE a.class_id = classes.class_id AND ${isShown} OFFSET 0)
    ORDER BY created_at DESC, class_id DESC LIMIT $1 OFFSET $2
  ) AS page JOIN classes c USING (class_id) ${joins} ${joinAllowance('c.class_id', '$4')}
  ORDER BY c.created_at DESC, c.class_id DESC`;

// The first condition on assignments matches the index `assignments_not_always_shown`.
const totalOfCourses = `
  SELECT (
    (SELECT coalesce(sum(total), 0) FROM homework_totals WHERE course_id = ANY($1::integer[]))
    - (SELECT count(*) FROM assignments a JOIN classes c USING (class_id)
      WHERE (NOT a.published OR a.opens_at IS NOT NULL) AND NOT ${isShown}
        AND c.is_listed AND c.course_id = ANY($1::integer[]))
  )::integer AS total`;

const anySubmission = 'SELECT FROM submissions WHERE class_id = $1 LIMIT 1';

const increment = 'UPDATE assignments SET revision = revision + 1 WHERE class_id = $1';
const states = `${select}, NOT c.is_listed AS "isDeleted" FROM classes c ${joins}`;
const stateOf = `${states} WHERE c.class_id = $1`;
const statesAfter = `${states} WHERE c.class_id > $1 ORDER BY c.class_id LIMIT $2`;

/** Classes with an assignment. A deleted class has no visible assignment (D43). */
export class HomeworkRepository {
  readonly #db: Sequelize;
  readonly #models: Models;
  readonly #lists: ListReads;

  constructor(sequelize: Sequelize, models: Models, lists: ListReads = primaryReads(sequelize)) {
    this.#db = sequelize;
    this.#models = models;
    this.#lists = lists;
  }

  async find(classId: number): Promise<Homework | undefined> {
    const [row] = await query<Homework>(this.#db, { sql: find, values: [classId] });
    return row;
  }

  /** Whether students see an assignment, which may have been removed since. */
  async isShown(classId: number): Promise<boolean> {
    return (await query(this.#db, { sql: shown, values: [classId] })).length > 0;
  }

  /** Finds published homework, with the stored state of the student who is uploading files. */
  async findForStudent(classId: number, studentId: number): Promise<HomeworkOfStudent | undefined> {
    const values = [classId, studentId];
    const name = 'homework of student';
    const [row] = await query<HomeworkOfStudent>(this.#db, { name, sql: findForStudent, values });
    return row;
  }

  /**
   * One page of a student's homework in these courses, without assignments hidden from students, newest class first.
   */
  async pageOfStudent(
    studentId: number,
    courseIds: number[],
    page: Page,
  ): Promise<SelectedPage<ListedHomework>> {
    return this.#lists.read(async (select) => {
      const [counted] = await select<{ total: number }>({
        name: 'amount of homework',
        sql: totalOfCourses,
        values: [courseIds],
      });
      return selectPage(page, counted?.total ?? 0, (limit, offset) =>
        select<ListedHomework>({
          name: 'homework of a student',
          sql: pageOfStudent,
          values: [limit, offset, courseIds, studentId],
        }),
      );
    });
  }

  /** Finds a class, deleted or not, and locks it and its assignment until the end of the transaction. */
  async lockClass(classId: number, transaction: Transaction): Promise<LockedClass | undefined> {
    // This lock blocks only the first uploads for the assignment.
    const options = { transaction, lock: transaction.LOCK.NO_KEY_UPDATE };
    const row = await this.#models.Class.findByPk(classId, options);
    if (!row) return undefined;
    const assignment = await this.#models.Assignment.findByPk(classId, { transaction, lock: true });
    const { courseId, title, isDeleted, hasAssignment } = row;
    const locked = { id: classId, courseId, title, isDeleted, hasAssignment };
    if (!assignment) return { ...locked, assignment: { ...unassigned, assignedAt: new Date() } };
    const { classId: _, createdAt: assignedAt, ...stored } = assignment.get();
    return { ...locked, assignment: { ...stored, assignedAt } };
  }

  /** Stores the assignment of a class, replacing an earlier one, and lists the class. */
  async saveAssignment(
    classId: number,
    { assignedAt: createdAt, ...assignment }: StoredAssignment,
    transaction: Transaction,
  ): Promise<void> {
    await this.#models.Assignment.upsert({ classId, createdAt, ...assignment }, { transaction });
    await this.#setHasAssignment(true, { classId, hasAssignment: false }, transaction);
  }

  /** Removes the assignment of a locked class. Its submissions remain. */
  async removeAssignment(
    classId: number,
    { revision }: Pick<StoredAssignment, 'revision'>,
    transaction: Transaction,
  ): Promise<void> {
    await this.#models.Assignment.update({ revision }, { where: { classId }, transaction });
    await this.#setHasAssignment(false, { classId }, transaction);
  }

  /**
   * Whether a locked assignment has submissions. No submission can be added until the transaction ends
   * (submissionRepository.ts).
   */
  async hasSubmissions(classId: number, transaction: Transaction): Promise<boolean> {
    return (await query(this.#db, { sql: anySubmission, values: [classId], transaction })).length > 0;
  }

  /**
   * Increments the revision of an assignment (even a removed one), because its class has changed. Returns its new
   * state; undefined if the class never had one.
   */
  async increment(classId: number, transaction: Transaction): Promise<HomeworkState | undefined> {
    await query(this.#db, { sql: increment, values: [classId], transaction });
    return (await query<HomeworkState>(this.#db, { sql: stateOf, values: [classId], transaction }))[0];
  }

  /** Assignments of classes with larger ids in id order, including removed ones. */
  after(classId: number, limit: number): Promise<HomeworkState[]> {
    return query(this.#db, { sql: statesAfter, values: [classId, limit] });
  }

  async #setHasAssignment(
    hasAssignment: boolean,
    where: { classId: number; hasAssignment?: boolean },
    transaction: Transaction,
  ): Promise<void> {
    await this.#models.Class.update({ hasAssignment }, { where, transaction });
  }
}
