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

/** SQL for a {@link CountedRubric} as JSON, from `rubrics r`. */
export const rubricJson = `json_build_object(
  'revision', r.revision, 'mode', r.mode,
  'maxPoints', (r.max_points * 10000)::bigint, 'minPoints', (r.min_points * 10000)::bigint,
  'items', (SELECT coalesce(json_agg(json_build_object(
    'id', i.id, 'points', (i.points * 10000)::bigint, 'text', i.text, 'explanation', i.explanation,
    'group', i.group_name, 'key', i.key, 'uses', i.uses) ORDER BY i.place), '[]')
    FROM rubric_items i WHERE i.item_id = r.item_id))`;

const find = `SELECT ${rubricJson} AS rubric FROM rubrics r WHERE r.item_id = $1 AND NOT r.is_deleted`;
const ensureRow = 'INSERT INTO rubrics (item_id) VALUES ($1) ON CONFLICT (item_id) DO NOTHING';
const lock = 'SELECT revision FROM rubrics WHERE item_id = $1 FOR NO KEY UPDATE';

const change = `
  UPDATE rubrics SET revision = revision + 1, is_deleted = false, mode = $2, max_points = $3, min_points = $4
  WHERE item_id = $1 RETURNING revision`;
const markDeleted = 'UPDATE rubrics SET is_deleted = true WHERE item_id = $1';

const deleteItems = 'DELETE FROM rubric_items WHERE item_id = $1 AND id <> ALL ($2::integer[])';
const givenItems = `
  jsonb_to_recordset($2::jsonb) AS given (
    id integer, place integer, points numeric, text text, explanation text, group_name text, key text)`;
const columns = ['place', 'points', 'text', 'explanation', 'group_name', 'key'];
const updateItems = `
  UPDATE rubric_items i SET ${columns.map((column) => `${column} = given.${column}`).join(', ')}
  FROM ${givenItems} WHERE i.item_id = $1 AND i.id = given.id`;
const insertItems = `
  INSERT INTO rubric_items (item_id, ${columns.join(', ')})
  SELECT $1::integer, ${columns.join(', ')} FROM ${givenItems} WHERE id IS NULL ORDER BY place`;

/** The rubrics of items. */
export class RubricRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async find(itemId: number, transaction?: Transaction): Promise<CountedRubric | undefined> {
    type Row = { rubric: CountedRubric };
    const [row] = await query<Row>(this.#db, { name: 'rubric', sql: find, values: [itemId], transaction });
    return row?.rubric;
  }

  /**
   * Finds a rubric and locks it until the end of the transaction, even if it does not exist yet. Gradings with the
   * rubric hold a shared lock on it. Once this method returns, each of them is either committed and visible, or waits
   * and then finds another revision.
   */
  async lock(itemId: number, transaction: Transaction): Promise<CountedRubric | undefined> {
    await query(this.#db, { sql: ensureRow, values: [itemId], transaction });
    await query(this.#db, { sql: lock, values: [itemId], transaction });
    // A separate statement, because one that has waited for a lock still reads earlier versions of other rows.
    return this.find(itemId, transaction);
  }

  /**
   * Writes a locked rubric and returns its new revision. Deletes items that are left out. The submissions that are
   * graded with it must already be locked, because a grading that clears a selection locks first the submission, then
   * its items.
   */
  async save(itemId: number, rubric: ChangedRubric, transaction: Transaction): Promise<number> {
    const { mode, maxPoints, minPoints, items } = rubric;
    const kept = items.flatMap(({ id }) => id ?? []);
    await query(this.#db, { sql: deleteItems, values: [itemId, kept], transaction });
    const given = items.map(({ group, points, ...item }, place) => ({
      ...item,
      place,
      points: fromPoints(points),
      group_name: group,
    }));
    for (const statement of [updateItems, insertItems])
      await query(this.#db, { sql: statement, values: [itemId, JSON.stringify(given)], transaction });
    const values = [itemId, mode, fromPoints(maxPoints), fromPoints(minPoints)];
    const [row] = await query<{ revision: number }>(this.#db, { sql: change, values, transaction });
    if (!row) throw new Error(`rubric ${itemId} disappeared while it was locked`);
    return row.revision;
  }

  /** Deletes a locked rubric with its items. The submissions must be locked as for {@link save}. */
  async delete(itemId: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: deleteItems, values: [itemId, []], transaction });
    await query(this.#db, { sql: markDeleted, values: [itemId], transaction });
  }
}
