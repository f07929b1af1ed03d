import { inTransaction } from '@gradeway/shared/database/connection';
import { query } from '@gradeway/shared/database/query';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Course, CourseProperties } from '../domain/course.ts';
import type { CourseModel, Models } from './models.ts';

// Locks courses in id order, so that concurrent transactions cannot deadlock.
const addToStudentCounts = `
  UPDATE courses SET student_count = student_count + $2
  WHERE id IN (SELECT id FROM courses WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE)`;

const nextCourses = 'SELECT id FROM courses WHERE id > $1 ORDER BY id LIMIT $2 FOR NO KEY UPDATE';
const correctStudentCounts = `
  UPDATE courses SET student_count = counted.students
  FROM (
    SELECT c.id, count(r.user_id)::int AS students
    FROM courses c LEFT JOIN roster r ON r.course_id = c.id AND r.is_enrolled
    WHERE c.id = ANY($1) GROUP BY c.id) AS counted
  WHERE courses.id = counted.id AND student_count <> counted.students
  RETURNING courses.id`;
const correctedPerBatch = 50;

/** Stores courses. Deleted ones are not found. */
export class CourseRepository {
  readonly #db: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#db = sequelize;
    this.#models = models;
  }

  async create(properties: CourseProperties, transaction: Transaction): Promise<Course> {
    const row = await this.#models.Course.create(properties, { transaction });
    await this.#addToTotal(1, transaction);
    return toCourse(row);
  }

  async find(id: number, transaction: Transaction | null = null): Promise<Course | undefined> {
    const row = await this.#models.Course.findOne({ where: { id, deletedAt: null }, transaction });
    return row ? toCourse(row) : undefined;
  }

  /** Finds a course and locks it until the transaction ends. */
  async lock(id: number, transaction: Transaction): Promise<Course | undefined> {
    const where = { id, deletedAt: null };
    const row = await this.#models.Course.findOne({ where, transaction, lock: true });
    return row ? toCourse(row) : undefined;
  }

  update(before: Course, changes: Partial<CourseProperties>, transaction: Transaction): Promise<Course> {
    return this.#update(before, changes, transaction);
  }

  async delete(before: Course, transaction: Transaction): Promise<Course> {
    const deleted = await this.#update(before, { deletedAt: new Date() }, transaction);
    await this.#addToTotal(-1, transaction);
    return deleted;
  }

  /** Returns the existing courses among the given ids. */
  async findByIds(ids: number[]): Promise<Course[]> {
    const rows = await this.#models.Course.findAll({ where: { id: ids, deletedAt: null } });
    return rows.map(toCourse);
  }

  /** Returns one page of all courses, or of the given ones, newest first. */
  async page(page: Page, ids?: number[]): Promise<{ courses: Course[]; total: number }> {
    const where = { deletedAt: null, ...(ids && { id: ids }) };
    const total = ids ? await this.#models.Course.count({ where }) : await this.#total();
    const offset = offsetOf(page, total);
    if (offset === undefined) return { courses: [], total };
    const rows = await this.#models.Course.findAll({
      where,
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      limit: page.size,
      offset,
    });
    return { courses: rows.map(toCourse), total };
  }

  /** Adds `change`, which may be negative, to the student count of each course. */
  async addToStudentCounts(ids: number[], change: number, transaction: Transaction): Promise<void> {
    if (ids.length === 0) return;
    await query(this.#db, { sql: addToStudentCounts, values: [ids, change], transaction });
  }

  /** Recounts the students of every course, including deleted ones. Returns how many counts were wrong. */
  async correctStudentCounts(): Promise<number> {
    let corrected = 0;
    for (let lastId: number | undefined = 0; lastId !== undefined; )
      lastId = await inTransaction(this.#db, async (transaction) => {
        const select = <Row extends object>(sql: string, values: unknown[]) =>
          query<Row>(this.#db, { sql, values, transaction });
        const ids = (await select<{ id: number }>(nextCourses, [lastId, correctedPerBatch])).map(
          ({ id }) => id,
        );
        // A separate statement after the locks, so that it sees every enrollment that has already changed the count.
        corrected += (await select(correctStudentCounts, [ids])).length;
        return ids.at(-1);
      });
    return corrected;
  }

  async #update(
    before: Course,
    values: Partial<CourseModel['_attributes']>,
    transaction: Transaction,
  ): Promise<Course> {
    const [, rows] = await this.#models.Course.update(
      { ...values, revision: before.revision + 1 },
      { where: { id: before.id }, transaction, returning: true },
    );
    const [row] = rows;
    if (!row) throw new Error(`course ${before.id} disappeared while locked`);
    return toCourse(row);
  }

  async #total(): Promise<number> {
    const [row] = await query<{ total: number }>(this.#db, { sql: 'SELECT total FROM course_total' });
    return row?.total ?? 0;
  }

  async #addToTotal(change: number, transaction: Transaction): Promise<void> {
    const sql = 'UPDATE course_total SET total = total + $1';
    await query(this.#db, { sql, values: [change], transaction });
  }
}

function toCourse(row: CourseModel): Course {
  const { deletedAt: _, ...course } = row.get();
  return course;
}
