import type { Sequelize, Transaction } from 'sequelize';
import { batches } from '../../database/batches.ts';
import type { ListReads } from '../../database/listReads.ts';
import { query } from '../../database/query.ts';
import { readPageOf, type SelectedPage } from '../../database/selectPage.ts';
import type { Page } from '../../http/pagination.ts';

/** Answers to a question that deserve the same grading. */
export interface AnswerGroup {
  id: number;
  questionId: number;
  title: string;
  size: number;
  /** The number of its graded answers. */
  graded: number;
}

const groups = `
  SELECT g.id, g.question_id AS "questionId", g.title, counted.*
  FROM answer_groups g CROSS JOIN LATERAL (
    SELECT count(*)::int AS size, count(a.points)::int AS graded FROM answers a WHERE a.group_id = g.id) AS counted`;
const ofItem = `
  JOIN questions q ON q.id = g.question_id WHERE q.item_id = $1 AND g.question_id = $2`;
const find = `${groups} ${ofItem} AND g.id = $3`;
const page = `${groups} ${ofItem} ORDER BY g.id LIMIT $3 OFFSET $4`;
const count = `SELECT count(*)::int AS total FROM answer_groups g ${ofItem}`;
const members = 'SELECT submission_id AS id FROM answers WHERE group_id = $1 ORDER BY submission_id';

const create = 'INSERT INTO answer_groups (question_id, title) VALUES ($1, $2) RETURNING id';
const lock = 'SELECT FROM answer_groups WHERE id = $1 FOR UPDATE';
const rename = 'UPDATE answer_groups SET title = $2 WHERE id = $1';
const remove = 'DELETE FROM answer_groups WHERE id = $1';
const known = `
  SELECT submission_id AS id FROM answers WHERE question_id = $1 AND submission_id = ANY($2::integer[])`;
const add = `
  UPDATE answers SET group_id = $3
  WHERE question_id = $1 AND submission_id = ANY($2::integer[]) AND group_id IS DISTINCT FROM $3`;
const takeOut = `
  UPDATE answers SET group_id = NULL
  WHERE question_id = $1 AND submission_id = ANY($2::integer[]) AND group_id = $3`;

/** A group of a path. */
interface GroupPlace {
  itemId: number;
  questionId: number;
  id: number;
}

/** The groups of answers to questions. */
export class GroupRepository {
  readonly #db: Sequelize;
  readonly #lists: ListReads;

  constructor(sequelize: Sequelize, lists: ListReads) {
    this.#db = sequelize;
    this.#lists = lists;
  }

  async find(
    { itemId, questionId, id }: GroupPlace,
    transaction?: Transaction,
  ): Promise<AnswerGroup | undefined> {
    const values = [itemId, questionId, id];
    const [group] = await query<AnswerGroup>(this.#db, { sql: find, values, transaction });
    return group;
  }

  /** One page of the groups of a question, in order of creation. */
  ofQuestion(itemId: number, questionId: number, wanted: Page): Promise<SelectedPage<AnswerGroup>> {
    const list = { name: 'groups', count, page, values: [itemId, questionId] };
    return readPageOf(this.#lists, list, wanted);
  }

  /** The submissions of a group, in the order of their ids. */
  async members(id: number, transaction?: Transaction): Promise<number[]> {
    const rows = await query<{ id: number }>(this.#db, { sql: members, values: [id], transaction });
    return rows.map((row) => row.id);
  }

  /** Locks a group until the end of the transaction. */
  async lock(id: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: lock, values: [id], transaction });
  }

  async create(questionId: number, title: string, transaction: Transaction): Promise<number> {
    const values = [questionId, title];
    const [row] = await query<{ id: number }>(this.#db, { sql: create, values, transaction });
    if (!row) throw new Error('the group was not created');
    return row.id;
  }

  async rename(id: number, title: string, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: rename, values: [id, title], transaction });
  }

  async remove(id: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: remove, values: [id], transaction });
  }

  /** Returns the submissions that have no answer to the question. */
  async unknown(questionId: number, ids: number[], transaction: Transaction): Promise<number[]> {
    const rows = await query<{ id: number }>(this.#db, {
      sql: known,
      values: [questionId, ids],
      transaction,
    });
    const found = new Set(rows.map(({ id }) => id));
    return ids.filter((id) => !found.has(id));
  }

  /** Moves the answers of locked submissions into a group. */
  async add(group: Pick<AnswerGroup, 'id' | 'questionId'>, ids: number[], transaction: Transaction) {
    await this.#change(add, group, ids, transaction);
  }

  /** Removes the answers of locked submissions from a group. */
  async takeOut(group: Pick<AnswerGroup, 'id' | 'questionId'>, ids: number[], transaction: Transaction) {
    await this.#change(takeOut, group, ids, transaction);
  }

  async #change(
    sql: string,
    { id, questionId }: Pick<AnswerGroup, 'id' | 'questionId'>,
    submissionIds: number[],
    transaction: Transaction,
  ): Promise<void> {
    for (const batch of batches(submissionIds))
      await query(this.#db, { sql, values: [questionId, batch, id], transaction });
  }
}
