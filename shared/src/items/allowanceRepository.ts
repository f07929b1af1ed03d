import type { Sequelize, Transaction } from 'sequelize';
import type { ListReads } from '../database/listReads.ts';
import { query } from '../database/query.ts';
import { readPageOf, type SelectedPage } from '../database/selectPage.ts';
import type { GradingTables } from '../grading/gradingTables.ts';
import type { Page } from '../http/pagination.ts';
import { userEmail, userName, userNameOf } from '../projections/userColumns.ts';
import type { GivenAllowance } from './allowanceSchema.ts';

/** The properties that allowances depend on, of an item that is not removed. */
export interface ItemOfAllowances {
  id: number;
  courseId: number;
}

/** A stored allowance, or the remaining row of a removed one. */
export interface StoredAllowance extends GivenAllowance {
  isRemoved: boolean;
  /** Increments with each change. */
  revision: number;
}

/** An allowance as graders see it. Names are null for a deleted account and for one that is not loaded yet. */
export interface ListedAllowance extends GivenAllowance {
  studentName: string | null;
  studentEmail: string | null;
  changedBy: number;
  changerName: string | null;
  changedAt: Date;
}

const given = `
  a.student_id AS "studentId", a.closes_at AS "closesAt", a.extra_minutes AS "extraMinutes", a.excused, a.note`;
const stored = `${given}, a.is_removed AS "isRemoved", a.revision`;

const listed = `
  SELECT ${given}, ${userName} AS "studentName", ${userEmail} AS "studentEmail",
    a.changed_by AS "changedBy", ${userNameOf('changer')} AS "changerName", a.changed_at AS "changedAt"
  FROM allowances a LEFT JOIN people p ON p.user_id = a.student_id
    LEFT JOIN people changer ON changer.user_id = a.changed_by
  WHERE a.item_id = $1 AND NOT a.is_removed`;
const listedOf = `${listed} AND a.student_id = ANY($2::integer[])`;
const page = `${listed} ORDER BY p.last_name, p.first_name, a.student_id LIMIT $2 OFFSET $3`;
const count = 'SELECT count(*)::int AS total FROM allowances WHERE item_id = $1 AND NOT is_removed';

const ofStudents = `SELECT ${stored} FROM allowances a WHERE a.item_id = $1 AND a.student_id = ANY($2::integer[])`;

const save = `
  INSERT INTO allowances AS a (item_id, student_id, closes_at, extra_minutes, excused, note, changed_by)
  SELECT $1::integer, given.*, $7::integer
  FROM unnest($2::integer[], $3::timestamptz[], $4::integer[], $5::boolean[], $6::text[]) AS given
  ON CONFLICT (item_id, student_id) DO UPDATE SET
    closes_at = excluded.closes_at, extra_minutes = excluded.extra_minutes, excused = excluded.excused,
    note = excluded.note, changed_by = excluded.changed_by, changed_at = now(), is_removed = false,
    revision = a.revision + 1
  RETURNING ${stored}`;

const remove = `
  UPDATE allowances a SET closes_at = NULL, extra_minutes = 0, excused = false, note = NULL, changed_by = $3,
    changed_at = now(), is_removed = true, revision = a.revision + 1
  WHERE a.item_id = $1 AND a.student_id = $2 AND NOT a.is_removed
  RETURNING ${stored}`;

/** The allowances of individual students for an item. */
export class AllowanceRepository {
  readonly #db: Sequelize;
  readonly #lists: ListReads;
  readonly #lock: string;

  constructor(sequelize: Sequelize, lists: ListReads, { items }: Pick<GradingTables, 'items'>) {
    this.#db = sequelize;
    this.#lists = lists;
    this.#lock = `SELECT i.id, i.course_id AS "courseId" FROM (${items}) AS i WHERE i.id = $1 FOR NO KEY UPDATE`;
  }

  /** Locks an item, to serialize the changes to its allowances. Uploads do not wait. */
  async lockItem(itemId: number, transaction: Transaction): Promise<ItemOfAllowances | undefined> {
    const [item] = await query<ItemOfAllowances>(this.#db, {
      sql: this.#lock,
      values: [itemId],
      transaction,
    });
    return item;
  }

  /** One page of the allowances of an item, by last name, first name and id. */
  page(itemId: number, requested: Page): Promise<SelectedPage<ListedAllowance>> {
    const list = { name: 'allowances', count, page, values: [itemId] };
    return readPageOf(this.#lists, list, requested);
  }

  async find(itemId: number, studentId: number): Promise<ListedAllowance | undefined> {
    return (await this.listOf(itemId, [studentId]))[0];
  }

  /** Returns the allowances of these students. */
  listOf(itemId: number, studentIds: number[]): Promise<ListedAllowance[]> {
    return query(this.#db, { sql: listedOf, values: [itemId, studentIds] });
  }

  /** The allowances of these students, including removed ones, for a locked item. */
  ofStudents(itemId: number, studentIds: number[], transaction: Transaction): Promise<StoredAllowance[]> {
    return query(this.#db, { sql: ofStudents, values: [itemId, studentIds], transaction });
  }

  /** Stores allowances, replacing earlier ones. */
  save(
    itemId: number,
    allowances: GivenAllowance[],
    changedBy: number,
    transaction: Transaction,
  ): Promise<StoredAllowance[]> {
    const values = [
      itemId,
      allowances.map(({ studentId }) => studentId),
      allowances.map(({ closesAt }) => closesAt?.toISOString() ?? null),
      allowances.map(({ extraMinutes }) => extraMinutes),
      allowances.map(({ excused }) => excused),
      allowances.map(({ note }) => note),
      changedBy,
    ];
    return query(this.#db, { sql: save, values, transaction });
  }

  /** Removes an allowance. Returns undefined if there is none. */
  async remove(
    itemId: number,
    studentId: number,
    changedBy: number,
    transaction: Transaction,
  ): Promise<StoredAllowance | undefined> {
    const values = [itemId, studentId, changedBy];
    return (await query<StoredAllowance>(this.#db, { sql: remove, values, transaction }))[0];
  }
}
