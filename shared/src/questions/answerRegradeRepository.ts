import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import type { GradingTables } from '../grading/gradingTables.ts';
import type { Points } from '../grading/points.ts';
import {
  inQueueOrder,
  isAfterPlace,
  type QueueOrder,
  queueKey,
  startOfQueue,
} from '../grading/queueOrder.ts';
import type { ByRubric } from '../grading/regrade.ts';
import { anonymousMask } from '../items/anonymity.ts';
import { itemJoin } from '../items/visibility.ts';
import { userName } from '../projections/userColumns.ts';

/** An answer that is graded with the rubric of its question. */
export interface AnswerByRubric extends ByRubric {
  points: Points;
  comment: string | null;
  gradedBy: number;
  gradedAt: Date;
}

/** The answers that are graded with the rubrics of their questions. */
export class AnswerRegradeRepository {
  readonly #db: Sequelize;
  readonly #after: (order: QueueOrder) => string;

  constructor(sequelize: Sequelize, tables: GradingTables) {
    this.#db = sequelize;
    this.#after = after(tables);
  }

  /** The submissions of all of these answers, in ascending order. */
  async submissionIds(questionId: number, transaction: Transaction): Promise<number[]> {
    const values = [questionId];
    const [row] = await query<{ ids: number[] | null }>(this.#db, {
      sql: submissionIds,
      values,
      transaction,
    });
    return row?.ids ?? [];
  }

  /** Returns the next answers in the order of the queue. */
  after(
    { questionId, order }: { questionId: number; order: QueueOrder },
    last: Pick<AnswerByRubric, 'key' | 'id'> | undefined,
    limit: number,
    transaction: Transaction,
  ): Promise<AnswerByRubric[]> {
    const { key, id } = last ?? startOfQueue(order);
    const name = `answers graded by the rubric: ${order}`;
    const values = [questionId, key, id, limit];
    return query(this.#db, { name, sql: this.#after(order), values, transaction });
  }

  /** Clears the selections of answers to a question whose rubric is deleted. The points stay. */
  async dropSelections(questionId: number, submissionIds: number[], transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: drop, values: [questionId, submissionIds], transaction });
  }
}

const byRubric = 'question_id = $1 AND points IS NOT NULL AND rubric_revision IS NOT NULL';
const submissionIds = `SELECT array_agg(submission_id ORDER BY submission_id) AS ids FROM answers WHERE ${byRubric}`;
const drop = `
  UPDATE answers SET selection = '{}', adjustment = 0, rubric_revision = NULL
  WHERE ${byRubric} AND submission_id = ANY($2::integer[])`;

// The inner query reads an index of answers, which is in the order of their submissions.
const after = (tables: GradingTables) => (order: QueueOrder) =>
  `
  SELECT s.id, ${anonymousMask.name(userName)} AS "studentName", (a.points * 10000)::float8 AS points, a.comment, a.selection,
    (a.adjustment * 10000)::float8 AS adjustment, a.graded_by AS "gradedBy", a.graded_at AS "gradedAt",
    ${queueKey(order)} AS key
  FROM (
    SELECT s.* FROM (SELECT submission_id AS id, * FROM answers WHERE ${byRubric}) AS s
    WHERE ${isAfterPlace(order, '$2', '$3')} ORDER BY ${inQueueOrder(order)} LIMIT $4) AS a
  JOIN submissions s ON s.id = a.id LEFT JOIN people p ON p.user_id = s.student_id ${itemJoin(tables)}
  ORDER BY ${inQueueOrder(order)}`;
