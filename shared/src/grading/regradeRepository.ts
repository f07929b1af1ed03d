import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import { anonymousMask } from '../items/anonymity.ts';
import { type ItemVisibility, itemJoin, visibilityColumns } from '../items/visibility.ts';
import { userName } from '../projections/userColumns.ts';
import { type GradingTables, totalOf } from './gradingTables.ts';
import { inQueueOrder, isAfterPlace, type QueueOrder, queueKey, startOfQueue } from './queueOrder.ts';
import type { ByRubric, Regraded, RegradedBy } from './regrade.ts';

/** A submission that is graded with the rubric of its item. */
export interface SubmissionByRubric extends ByRubric, ItemVisibility {
  studentId: number;
  courseId: number;
  /** The title of the item. */
  title: string;
  submittedAt: Date;
  grade: number;
  totalGrade: number;
  comment: string | null;
  gradedBy: number;
  revision: number;
}

const rowsPerStatement = 1_000;

/** The submissions for an item that are graded with its rubric. */
export class RegradeRepository {
  readonly #db: Sequelize;
  readonly #sql: ReturnType<typeof statements>;

  constructor(sequelize: Sequelize, tables: GradingTables) {
    this.#db = sequelize;
    this.#sql = statements(tables);
  }

  /** Locks all of these submissions until the end of the transaction, against gradings that do not lock the rubric. */
  lockAll(itemId: number, transaction: Transaction): Promise<void> {
    return this.#forEachBatch(this.#sql.lock, itemId, transaction);
  }

  /** Returns the next submissions in the order of the queue. */
  after(
    { itemId, order }: { itemId: number; order: QueueOrder },
    last: Pick<SubmissionByRubric, 'key' | 'id'> | undefined,
    limit: number,
    transaction: Transaction,
  ): Promise<SubmissionByRubric[]> {
    const { key, id } = last ?? startOfQueue(order);
    const name = `submissions graded with the rubric: ${order}`;
    return query(this.#db, {
      name,
      sql: this.#sql.after(order),
      values: [itemId, key, id, limit],
      transaction,
    });
  }

  /** Writes the results, and an entry in the history of each submission whose grade has changed. */
  async write(
    results: Regraded[],
    { rubricRevision, userId, at }: RegradedBy,
    transaction: Transaction,
  ): Promise<void> {
    const values = [JSON.stringify(results), rubricRevision, userId, at];
    await query(this.#db, { name: 'regrade', sql: this.#sql.write, values, transaction });
  }

  /** Clears all selections of an item whose rubric is deleted. The grades stay. */
  dropSelections(itemId: number, transaction: Transaction): Promise<void> {
    return this.#forEachBatch(this.#sql.drop, itemId, transaction);
  }

  /** Runs a statement for each batch of ids, so that each stays well below the statement timeout. */
  async #forEachBatch(sql: string, itemId: number, transaction: Transaction): Promise<void> {
    for (let last: number | null | undefined = 0; last != null; ) {
      const values: number[] = [itemId, last, rowsPerStatement];
      const rows = await query<{ last: number | null }>(this.#db, { sql, values, transaction });
      last = rows[0]?.last;
    }
  }
}

function statements(tables: GradingTables) {
  const { itemId, grade, totalGrade, isGraded, courseId, title } = tables;
  const byRubric = `s.${itemId} = $1 AND ${isGraded} AND s.rubric_revision IS NOT NULL`;
  const next = `SELECT s.id FROM submissions s WHERE ${byRubric} AND s.id > $2 ORDER BY s.id LIMIT $3`;
  const columns = [grade, ...(totalGrade ? [totalGrade] : []), 'comment', 'selection', 'adjustment'].join(
    ', ',
  );
  return {
    lock: `SELECT max(id) AS last FROM (${next} FOR NO KEY UPDATE) AS locked`,
    after: (order: QueueOrder) => `
      SELECT s.id, s.student_id AS "studentId", ${anonymousMask.name(userName)} AS "studentName", ${courseId} AS "courseId", ${title} AS title,
        s.submitted_at AS "submittedAt", s.${grade}::float8 AS grade, ${totalOf(tables)} AS "totalGrade", s.comment,
        s.selection, (s.adjustment * 10000)::float8 AS adjustment, s.graded_by AS "gradedBy", s.revision,
        ${queueKey(order)} AS key, ${visibilityColumns}
      FROM submissions s ${itemJoin(tables)} LEFT JOIN people p ON p.user_id = s.student_id
      WHERE ${byRubric} AND ${isAfterPlace(order, '$2', '$3')}
      ORDER BY ${inQueueOrder(order)} LIMIT $4`,
    write: `
      WITH given AS (
        SELECT * FROM jsonb_to_recordset($1::jsonb) AS each (
          id integer, "to" numeric, total numeric, selection integer[], "isChanged" boolean)),
      regraded AS (
        UPDATE submissions s
        SET ${grade} = given."to", ${totalGrade ? `${totalGrade} = given.total,` : ''}
          selection = given.selection, rubric_revision = $2::integer,
          revision = s.revision + given."isChanged"::integer,
          graded_at = CASE WHEN given."isChanged" THEN $4::timestamptz ELSE s.graded_at END
        FROM given WHERE s.id = given.id
        RETURNING s.*, given."isChanged")
      INSERT INTO gradings (submission_id, ${columns}, rubric_revision, graded_by, graded_at, reason)
      SELECT id, ${columns}, $2::integer, $3::integer, $4::timestamptz, 'rubric'
      FROM regraded WHERE "isChanged" ORDER BY submitted_at, id`,
    drop: `
      WITH next AS (${next}), dropped AS (
        UPDATE submissions s SET selection = '{}', adjustment = 0, rubric_revision = NULL
        FROM next WHERE s.id = next.id)
      SELECT max(id) AS last FROM next`,
  };
}
