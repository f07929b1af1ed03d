import { selectRows } from '@gradeway/shared/database/connection';
import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Course, CourseProperties } from '../domain/course.ts';
import type { CourseModel, Models } from './models.ts';

// Always in the order of the ids: two transactions that change several courses never wait for each other.
const addStudents = `
  UPDATE courses SET student_count = student_count + $2
  WHERE id IN (SELECT id FROM courses WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE)`;

/** Courses that were not deleted. */
export class CourseRepository {
  readonly #sequelize: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#sequelize = sequelize;
    this.#models = models;
  }

  async create(properties: CourseProperties, transaction: Transaction): Promise<Course> {
    const row = await this.#models.Course.create(properties, { transaction });
    await this.#changeTotal(1, transaction);
    return toCourse(row);
  }

  async find(id: number, transaction: Transaction | null = null): Promise<Course | undefined> {
    const row = await this.#models.Course.findOne({ where: { id, deletedAt: null }, transaction });
    return row ? toCourse(row) : undefined;
  }

  /** The same, kept from other changes until the transaction ends. */
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
    await this.#changeTotal(-1, transaction);
    return deleted;
  }

  /** Those of these courses that there are. */
  async withIds(ids: number[]): Promise<Course[]> {
    const rows = await this.#models.Course.findAll({ where: { id: ids, deletedAt: null } });
    return rows.map(toCourse);
  }

  /** One page of all courses, newest first. */
  async page(page: Page): Promise<{ courses: Course[]; total: number }> {
    const [row] = await selectRows<{ total: number }>(this.#sequelize, 'SELECT total FROM course_total');
    const total = row?.total ?? 0;
    const offset = offsetOf(page, total);
    if (offset === undefined) return { courses: [], total };
    const rows = await this.#models.Course.findAll({
      where: { deletedAt: null },
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      limit: page.size,
      offset,
    });
    return { courses: rows.map(toCourse), total };
  }

  /** Notes that each of these courses has so many students more. */
  async addStudents(ids: number[], by: number, transaction: Transaction): Promise<void> {
    if (ids.length > 0) await this.#sequelize.query(addStudents, { bind: [ids, by], transaction });
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
    if (!row) throw new Error(`course ${before.id} vanished under its lock`);
    return toCourse(row);
  }

  async #changeTotal(by: number, transaction: Transaction): Promise<void> {
    await this.#sequelize.query('UPDATE course_total SET total = total + $1', { bind: [by], transaction });
  }
}

function toCourse(row: CourseModel): Course {
  const { deletedAt: _, ...course } = row.get();
  return course;
}
