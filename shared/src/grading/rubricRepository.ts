import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import { fromPoints } from './points.ts';
import type { Rubric, RubricItem } from './rubric.ts';

/** A rubric with the number of submissions that have each item selected. */
export interface CountedRubric extends Rubric {
  items: (RubricItem & { uses: number })[];
}

/** A rubric after a change. Items without an id are new. */
interface ChangedRubric extends Pick<Rubric, 'mode' | 'maxPoints' | 'minPoints'> {
  items: (Omit<RubricItem, 'id'> & { id: number | null })[];
}

/** The tables of rubrics. A rubric belongs to an item, or to a question of an item. */
export interface RubricTables {
  rubrics: string;
  items: string;
  /** The column of the owner in both tables. */
  owner: string;
}

export const itemRubrics: RubricTables = { rubrics: 'rubrics', items: 'rubric_items', owner: 'item_id' };

export const questionRubrics: RubricTables = {
  rubrics: 'question_rubrics',
  items: 'question_rubric_items',
  owner: 'question_id',
};

/** SQL for a {@link CountedRubric} as JSON, from the table of rubrics as `r`. */
export const rubricJson = ({ items, owner }: RubricTables): string => `json_build_object(
  'revision', r.revision, 'mode', r.mode,
  'maxPoints', (r.max_points * 10000)::bigint, 'minPoints', (r.min_points * 10000)::bigint,
  'items', (SELECT coalesce(json_agg(json_build_object(
    'id', i.id, 'points', (i.points * 10000)::bigint, 'text', i.text, 'explanation', i.explanation,
    'group', i.group_name, 'key', i.key, 'uses', i.uses) ORDER BY i.place), '[]')
    FROM ${items} i WHERE i.${owner} = r.${owner}))`;

function statements(tables: RubricTables) {
  const { rubrics, items, owner } = tables;
  const givenItems = `
    jsonb_to_recordset($2::jsonb) AS given (
      id integer, place integer, points numeric, text text, explanation text, group_name text, key text)`;
  const columns = ['place', 'points', 'text', 'explanation', 'group_name', 'key'];
  return {
    find: `SELECT ${rubricJson(tables)} AS rubric FROM ${rubrics} r WHERE r.${owner} = $1 AND NOT r.is_deleted`,
    ensureRow: `INSERT INTO ${rubrics} (${owner}) VALUES ($1) ON CONFLICT (${owner}) DO NOTHING`,
    lock: `SELECT revision FROM ${rubrics} WHERE ${owner} = $1 FOR NO KEY UPDATE`,
    change: `
      UPDATE ${rubrics} SET revision = revision + 1, is_deleted = false, mode = $2, max_points = $3, min_points = $4
      WHERE ${owner} = $1 RETURNING revision`,
    lockShared: `SELECT FROM ${rubrics} WHERE ${owner} = $1 FOR SHARE`,
    markDeleted: `UPDATE ${rubrics} SET is_deleted = true WHERE ${owner} = $1`,
    deleteItems: `DELETE FROM ${items} WHERE ${owner} = $1 AND id <> ALL ($2::integer[])`,
    updateItems: `
      UPDATE ${items} i SET ${columns.map((column) => `${column} = given.${column}`).join(', ')}
      FROM ${givenItems} WHERE i.${owner} = $1 AND i.id = given.id`,
    insertItems: `
      INSERT INTO ${items} (${owner}, ${columns.join(', ')})
      SELECT $1::integer, ${columns.join(', ')} FROM ${givenItems} WHERE id IS NULL ORDER BY place`,
  };
}

/** The rubrics of items, or of questions. */
export class RubricRepository {
  readonly #db: Sequelize;
  readonly #name: string;
  readonly #sql: ReturnType<typeof statements>;

  constructor(sequelize: Sequelize, tables: RubricTables) {
    this.#db = sequelize;
    this.#name = `one of ${tables.rubrics}`;
    this.#sql = statements(tables);
  }

  async find(ownerId: number, transaction?: Transaction): Promise<CountedRubric | undefined> {
    type Row = { rubric: CountedRubric };
    const statement = { name: this.#name, sql: this.#sql.find, values: [ownerId] };
    const [row] = await query<Row>(this.#db, { ...statement, transaction });
    return row?.rubric;
  }

  /**
   * Finds a rubric and locks it until the end of the transaction, even if it does not exist yet. Gradings with the
   * rubric hold a shared lock on it. Once this method returns, each of them is either committed and visible, or waits
   * and then finds a different revision.
   */
  async lock(ownerId: number, transaction: Transaction): Promise<CountedRubric | undefined> {
    await query(this.#db, { sql: this.#sql.ensureRow, values: [ownerId], transaction });
    await query(this.#db, { sql: this.#sql.lock, values: [ownerId], transaction });
    // A separate statement, because one that has waited for a lock still reads earlier versions of other rows.
    return this.find(ownerId, transaction);
  }

  /** Finds a rubric and keeps it unchanged until the end of the transaction, for a grading with it. */
  async lockShared(ownerId: number, transaction: Transaction): Promise<CountedRubric | undefined> {
    await query(this.#db, { sql: this.#sql.lockShared, values: [ownerId], transaction });
    return this.find(ownerId, transaction);
  }

  /**
   * Writes a locked rubric and returns its new revision. Deletes omitted items. The submissions that are graded with it
   * must already be locked, because a grading that clears a selection locks first the submission, then its items.
   */
  async save(ownerId: number, rubric: ChangedRubric, transaction: Transaction): Promise<number> {
    const { mode, maxPoints, minPoints, items } = rubric;
    const kept = items.flatMap(({ id }) => id ?? []);
    await query(this.#db, { sql: this.#sql.deleteItems, values: [ownerId, kept], transaction });
    const given = items.map(({ group, points, ...item }, place) => ({
      ...item,
      place,
      points: fromPoints(points),
      group_name: group,
    }));
    for (const sql of [this.#sql.updateItems, this.#sql.insertItems])
      await query(this.#db, { sql, values: [ownerId, JSON.stringify(given)], transaction });
    const values = [ownerId, mode, fromPoints(maxPoints), fromPoints(minPoints)];
    const [row] = await query<{ revision: number }>(this.#db, { sql: this.#sql.change, values, transaction });
    if (!row) throw new Error(`rubric ${ownerId} disappeared while it was locked`);
    return row.revision;
  }

  /** Deletes a locked rubric with its items. The submissions must be locked as for {@link save}. */
  async delete(ownerId: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: this.#sql.deleteItems, values: [ownerId, []], transaction });
    await query(this.#db, { sql: this.#sql.markDeleted, values: [ownerId], transaction });
  }
}
