import { selectRows } from '@gradeway/shared/database/connection';
import type { Sequelize, Transaction } from 'sequelize';
import type { Class } from '../../domain/class.ts';
import type { Course } from '../../domain/course.ts';
import type { Enrollment } from '../../domain/enrollment.ts';
import * as queries from './commitQueries.ts';

/** What a plan changes, in the order in which it must happen. */
const changes = {
  createCourses: { file: 'courses', action: 'create', query: queries.createCourses },
  changeCourses: { file: 'courses', action: 'update', query: queries.changeCourses },
  createClasses: { file: 'classes', action: 'create', query: queries.createClasses },
  changeClasses: { file: 'classes', action: 'update', query: queries.changeClasses },
  createEnrollments: { file: 'enrollments', action: 'create', query: queries.createEnrollments },
  endEnrollments: { file: 'enrollments', action: 'delete', query: queries.endEnrollments },
  deleteClasses: { file: 'classes', action: 'delete', query: queries.deleteClasses },
  deleteCourses: { file: 'courses', action: 'delete', query: queries.deleteCourses },
} as const;

interface Records {
  createCourses: Course;
  changeCourses: Course;
  deleteCourses: Course;
  createClasses: Class;
  changeClasses: Class;
  deleteClasses: Class;
  createEnrollments: Enrollment;
  endEnrollments: Enrollment;
}

/** A record is not what it was when the import was planned. */
export class StalePlan extends Error {}

type Range = [importId: string, first: number, last: number];

// So that no statement takes longer than the connection's limit.
const rowsAtOnce = 2_000;

/** Carries out a plan, in the one transaction of the import. */
export class CommitRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  /** @throws StalePlan when a record is another than when it was planned */
  async requireCurrent(importId: string, transaction: Transaction): Promise<void> {
    await this.#requireNone(queries.staleRows, importId, transaction);
  }

  /** @throws StalePlan when a new class or enrollment has no course */
  async requireCourses(importId: string, transaction: Transaction): Promise<void> {
    await this.#requireNone([queries.courseless], importId, transaction);
  }

  /** Takes on the names of those whom the import enrolls. @throws StalePlan when one of them was deleted */
  async putPeople(importId: string, transaction: Transaction): Promise<void> {
    for await (const range of this.#ranges(importId, transaction))
      await this.#sequelize.query(queries.putPeople, { bind: range, transaction });
    await this.#requireNone([queries.enrollsDeleted], importId, transaction);
  }

  /** Makes, changes or deletes what the plan says, a batch at a time. @throws StalePlan when that was done already */
  async *apply<Change extends keyof Records>(
    change: Change,
    importId: string,
    transaction: Transaction,
  ): AsyncGenerator<Records[Change][]> {
    const { file, action, query } = changes[change];
    for await (const range of this.#ranges(importId, transaction)) {
      const bind = [...range, file, action];
      const [planned] = await this.#select<{ count: number }>(queries.countRows, bind, transaction);
      if (!planned?.count) continue;
      const records = await this.#select<Records[Change]>(query, range, transaction);
      if (records.length !== planned.count)
        throw new StalePlan(`${change} found something else than planned`);
      yield records;
    }
  }

  async putSources(importId: string, transaction: Transaction): Promise<void> {
    for (const query of queries.putSources)
      await this.#sequelize.query(query, { bind: [importId], transaction });
  }

  /** Keeps the totals that lists are shown with. Last: others wait for them. */
  async count(importId: string, transaction: Transaction): Promise<void> {
    for (const query of [queries.countStudents, queries.countCourses])
      await this.#sequelize.query(query, { bind: [importId], transaction });
  }

  async #requireNone(counts: string[], importId: string, transaction: Transaction): Promise<void> {
    for await (const range of this.#ranges(importId, transaction))
      for (const query of counts) {
        const [row] = await this.#select<{ count: number }>(query, range, transaction);
        if (row?.count !== 0) throw new StalePlan('a record is not what it was when the import was planned');
      }
  }

  async *#ranges(importId: string, transaction: Transaction): AsyncGenerator<Range> {
    const query = 'SELECT max(position) AS last FROM import_rows WHERE import_id = $1';
    const [row] = await this.#select<{ last: number | null }>(query, [importId], transaction);
    for (let start = 0; start <= (row?.last ?? -1); start += rowsAtOnce)
      yield [importId, start, start + rowsAtOnce - 1];
  }

  #select<Row extends object>(query: string, bind: unknown[], transaction: Transaction): Promise<Row[]> {
    return selectRows<Row>(this.#sequelize, query, bind, transaction);
  }
}
