import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import type { GradingTables } from '../grading/gradingTables.ts';
import type { PublishedItem } from './itemEvents.ts';
import type { Release } from './releasedAtAfter.ts';

/** The releases of items, removed or not. */
export class ReleaseRepository {
  readonly #db: Sequelize;
  readonly #sql: ReturnType<typeof statements>;

  constructor(sequelize: Sequelize, tables: GradingTables) {
    this.#db = sequelize;
    this.#sql = statements(tables);
  }

  /** Locks an item against changes. Uploads and gradings that need its release wait until the transaction ends. */
  async lock(id: number, transaction: Transaction): Promise<PublishedItem | undefined> {
    const [item] = await query<PublishedItem>(this.#db, { sql: this.#sql.lock, values: [id], transaction });
    return item;
  }

  /** Whether the release of an item is due. */
  async isAnyDue(now: Date): Promise<boolean> {
    const rows = await query(this.#db, { name: 'any due release', sql: this.#sql.isAnyDue, values: [now] });
    return rows.length > 0;
  }

  /** Locks items whose release is due. Skips the items that another replica is releasing. */
  lockDue(now: Date, limit: number, transaction: Transaction): Promise<PublishedItem[]> {
    const values = [now, limit];
    return query(this.#db, { sql: this.#sql.lockDue, values, transaction });
  }

  /** Prevents changes to the release of an item until the transaction ends. */
  async lockShared(id: number, transaction: Transaction): Promise<Pick<Release, 'release' | 'releasedAt'>> {
    const [item] = await query<Release>(this.#db, { sql: this.#sql.lockShared, values: [id], transaction });
    if (!item) throw new Error(`item ${id} does not exist`);
    return item;
  }

  /** Stores the release of a locked item, with a new revision. */
  async save(
    id: number,
    { release, releaseAt, releasedAt, anonymous }: Release,
    transaction: Transaction,
  ): Promise<void> {
    const values = [id, release, releaseAt, releasedAt, anonymous];
    await query(this.#db, { sql: this.#sql.save, values, transaction });
  }

  /** Stores the total grade of a locked quiz, in a new revision. */
  async saveTotal(id: number, totalGrade: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: this.#sql.saveTotal, values: [id, totalGrade], transaction });
  }
}

function statements({ item: { table, id }, publishedItems }: GradingTables) {
  return {
    lock: `${publishedItems} WHERE item.${id} = $1 FOR NO KEY UPDATE OF item`,
    isAnyDue: `SELECT FROM ${table} WHERE release_at <= $1 LIMIT 1`,
    lockDue: `
      ${publishedItems} WHERE item.release_at <= $1
      ORDER BY item.release_at LIMIT $2 FOR NO KEY UPDATE OF item SKIP LOCKED`,
    lockShared: `SELECT release, released_at AS "releasedAt" FROM ${table} WHERE ${id} = $1 FOR SHARE`,
    save: `
      UPDATE ${table}
      SET release = $2, release_at = $3, released_at = $4, anonymous = $5, revision = revision + 1 WHERE ${id} = $1`,
    saveTotal: `UPDATE ${table} SET total_grade = $2, revision = revision + 1 WHERE ${id} = $1`,
  };
}
