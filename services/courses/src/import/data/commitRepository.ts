import { query } from '@gradeway/shared/database/query';
import type { Sequelize, Transaction } from 'sequelize';
import type { Class } from '../../domain/class.ts';
import type { Course } from '../../domain/course.ts';
import type { Enrollment } from '../../domain/enrollment.ts';
import type { Instructor } from '../../teaching/domain/instructor.ts';
import { StalePlan } from '../domain/import.ts';
import * as queries from './commitQueries.ts';

/** The steps of a commit, in their required order. */
const steps = {
  createCourses: { file: 'courses', action: 'create', query: queries.createCourses },
  createClasses: { file: 'classes', action: 'create', query: queries.createClasses },
  changeClasses: { file: 'classes', action: 'update', query: queries.changeClasses },
  createEnrollments: { file: 'enrollments', action: 'create', query: queries.createEnrollments },
  payEnrollments: { file: 'enrollments', action: 'update', query: queries.payEnrollments },
  endEnrollments: { file: 'enrollments', action: 'delete', query: queries.endEnrollments },
  assignInstructors: { file: 'instructors', action: 'create', query: queries.assignInstructors },
  removeInstructors: { file: 'instructors', action: 'delete', query: queries.removeInstructors },
  deleteClasses: { file: 'classes', action: 'delete', query: queries.deleteClasses },
  changeCourses: { file: 'courses', action: 'update', query: queries.changeCourses },
  deleteCourses: { file: 'courses', action: 'delete', query: queries.deleteCourses },
} as const;

interface RecordOf {
  createCourses: Course;
  changeCourses: Course;
  deleteCourses: Course;
  createClasses: Class;
  changeClasses: Class;
  deleteClasses: Class;
  createEnrollments: Enrollment;
  payEnrollments: Enrollment;
  endEnrollments: Enrollment;
  assignInstructors: Instructor;
  removeInstructors: Instructor;
}

type Range = [importId: string, first: number, last: number];

// Keeps each statement within the connection's statement timeout.
const rowsPerStatement = 2_000;

/** Applies a plan within the transaction of the import. */
export class CommitRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** @throws StalePlan when a record has changed since the import was planned */
  async requireUnchanged(importId: string, transaction: Transaction): Promise<void> {
    await this.#requireNone(queries.staleRows, importId, transaction);
  }

  /** @throws StalePlan when a new class, enrollment or instructor has no course */
  async requireCourses(importId: string, transaction: Transaction): Promise<void> {
    await this.#requireNone([queries.rowsWithoutCourse], importId, transaction);
  }

  /**
   * Locks the people who join or leave a course, and stores the names of those who join.
   * @throws StalePlan when an account was deleted, or an instructor's account has changed
   */
  async upsertUsers(importId: string, transaction: Transaction): Promise<void> {
    await this.#select(queries.lockPeople, [importId], transaction);
    for await (const range of this.#ranges(importId, transaction))
      await query(this.#db, { sql: queries.upsertUsers, values: range, transaction });
    await this.#requireNone([queries.outdatedUsers], importId, transaction);
  }

  /**
   * Applies one step and yields the changed records in batches.
   * @throws StalePlan when a record has changed
   */
  async *apply<Step extends keyof RecordOf>(
    step: Step,
    importId: string,
    transaction: Transaction,
  ): AsyncGenerator<RecordOf[Step][]> {
    const { file, action, query: sql } = steps[step];
    for await (const range of this.#ranges(importId, transaction)) {
      const values = [...range, file, action];
      const [planned] = await this.#select<{ count: number }>(queries.countRows, values, transaction);
      if (!planned?.count) continue;
      const records = await this.#select<RecordOf[Step]>(sql, range, transaction);
      if (records.length !== planned.count)
        throw new StalePlan(`${step}: ${records.length} records instead of ${planned.count}`);
      yield records;
    }
  }

  async saveSourcedIds(importId: string, transaction: Transaction): Promise<void> {
    for (const sql of queries.saveSourcedIds) await query(this.#db, { sql, values: [importId], transaction });
  }

  /**
   * Locks the courses that change. Call it after all enrollment changes, because concurrent ones wait for these locks.
   */
  async lockCourses(importId: string, transaction: Transaction): Promise<void> {
    await this.#select(queries.lockCourses, [importId], transaction);
  }

  /** Updates the totals that lists show. Call it last, because other transactions wait for these rows. */
  async updateTotals(importId: string, transaction: Transaction): Promise<void> {
    for (const sql of [queries.updateStudentCounts, queries.updateCourseTotal])
      await query(this.#db, { sql, values: [importId], transaction });
  }

  async #requireNone(counts: string[], importId: string, transaction: Transaction): Promise<void> {
    for await (const range of this.#ranges(importId, transaction))
      for (const sql of counts) {
        const [row] = await this.#select<{ count: number }>(sql, range, transaction);
        if (row?.count !== 0) throw new StalePlan('a record has changed since the import was planned');
      }
  }

  async *#ranges(importId: string, transaction: Transaction): AsyncGenerator<Range> {
    const sql = 'SELECT max(position) AS last FROM import_rows WHERE import_id = $1';
    const [row] = await this.#select<{ last: number | null }>(sql, [importId], transaction);
    for (let start = 0; start <= (row?.last ?? -1); start += rowsPerStatement)
      yield [importId, start, start + rowsPerStatement - 1];
  }

  #select<Row extends object>(sql: string, values: unknown[], transaction: Transaction): Promise<Row[]> {
    return query<Row>(this.#db, { sql, values, transaction });
  }
}
