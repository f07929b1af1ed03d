import { offsetOf, type Page } from '@gradeway/shared/http/pagination';
import type { Transaction } from 'sequelize';
import type { Class, ClassProperties } from '../domain/class.ts';
import type { ClassModel, Models } from './models.ts';

/** Stores classes. Deleted ones are not found. */
export class ClassRepository {
  readonly #models: Models;

  constructor(models: Models) {
    this.#models = models;
  }

  async create(values: ClassProperties & { courseId: number }, transaction: Transaction): Promise<Class> {
    return toClass(await this.#models.Class.create(values, { transaction }));
  }

  /** Finds a class and locks it until the transaction ends. */
  async lock(id: number, transaction: Transaction): Promise<Class | undefined> {
    const row = await this.#models.Class.findOne({ where: { id, deletedAt: null }, transaction, lock: true });
    return row ? toClass(row) : undefined;
  }

  update(before: Class, changes: Partial<ClassProperties>, transaction: Transaction): Promise<Class> {
    return this.#update(before, changes, transaction);
  }

  delete(before: Class, transaction: Transaction): Promise<Class> {
    return this.#update(before, { deletedAt: new Date() }, transaction);
  }

  /** Returns the existing classes among the given ids. */
  async findByIds(ids: number[]): Promise<Class[]> {
    const rows = await this.#models.Class.findAll({ where: { id: ids, deletedAt: null } });
    return rows.map(toClass);
  }

  /** Returns one page of a course's classes, newest first. */
  async pageOfCourse(courseId: number, page: Page): Promise<{ classes: Class[]; total: number }> {
    const where = { courseId, deletedAt: null };
    const total = await this.#models.Class.count({ where });
    const offset = offsetOf(page, total);
    if (offset === undefined) return { classes: [], total };
    const rows = await this.#models.Class.findAll({
      where,
      order: [
        ['createdAt', 'DESC'],
        ['id', 'DESC'],
      ],
      limit: page.size,
      offset,
    });
    return { classes: rows.map(toClass), total };
  }

  async #update(
    before: Class,
    values: Partial<ClassModel['_attributes']>,
    transaction: Transaction,
  ): Promise<Class> {
    const [, rows] = await this.#models.Class.update(
      { ...values, revision: before.revision + 1 },
      { where: { id: before.id }, transaction, returning: true },
    );
    const [row] = rows;
    if (!row) throw new Error(`class ${before.id} disappeared while locked`);
    return toClass(row);
  }
}

function toClass(row: ClassModel): Class {
  const { deletedAt: _, ...found } = row.get();
  return found;
}
