import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../../database/query.ts';
import type { Grade } from '../../grading/gradeResult.ts';
import { type GradingTables, totalOf } from '../../grading/gradingTables.ts';
import { fromPoints, type Points } from '../../grading/points.ts';
import {
  inQueueOrder,
  isAfterPlace,
  type QueueOrder,
  queueKey,
  startOfQueue,
} from '../../grading/queueOrder.ts';
import { anonymousMask } from '../../items/anonymity.ts';
import { itemJoin } from '../../items/visibility.ts';
import { userName } from '../../projections/userColumns.ts';

/** The properties of an answer that an outline change depends on. */
export interface OutlinedAnswer {
  questionId: number;
  /** Null until it is graded. */
  points: Points | null;
  selection: number[];
  adjustment: Points;
  isByRubric: boolean;
}

/** A submission with a graded answer. */
export interface OutlinedSubmission {
  id: number;
  /** The name that replaces the student's while the item is anonymous. */
  studentName: string | null;
  grade: Grade['grade'] | null;
  totalGrade: Grade['totalGrade'] | null;
  answers: OutlinedAnswer[];
  key: string;
}

/** The submissions for an item whose outline changes, with their answers. */
export class OutlinedSubmissions {
  readonly #db: Sequelize;
  readonly #sql: ReturnType<typeof statements>;

  constructor(sequelize: Sequelize, tables: GradingTables) {
    this.#db = sequelize;
    this.#sql = statements(tables);
  }

  /** Returns the ids of all submissions for an item, in ascending order. */
  async ids(itemId: number, transaction: Transaction): Promise<number[]> {
    type Row = { ids: number[] | null };
    const [row] = await query<Row>(this.#db, { sql: this.#sql.ids, values: [itemId], transaction });
    return row?.ids ?? [];
  }

  /** Returns the next submissions with a graded answer, in queue order. */
  gradedAfter(
    { itemId, order }: { itemId: number; order: QueueOrder },
    last: OutlinedSubmission | undefined,
    limit: number,
    transaction: Transaction,
  ): Promise<OutlinedSubmission[]> {
    const { key, id } = last ?? startOfQueue(order);
    const values = [itemId, key, id, limit];
    return query(this.#db, { sql: this.#sql.gradedAfter(order), values, transaction });
  }

  /** Adds the answers to new questions. They do not wait for a grader if the submission is graded as a whole. */
  async addAnswers(ids: number[], questionIds: number[], transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: this.#sql.add, values: [ids, questionIds], transaction });
  }

  /** Removes the answers to questions, and adds history entries for the graded ones. */
  async removeAnswers(
    ids: number[],
    questionIds: number[],
    { userId, at }: { userId: number; at: Date },
    transaction: Transaction,
  ): Promise<void> {
    const values = [ids, questionIds, userId, at];
    await query(this.#db, { sql: removeAnswers, values, transaction });
  }

  /** Whether an answer was given more points without a rubric. */
  async hasPointsAbove(questionId: number, points: Points, transaction: Transaction): Promise<boolean> {
    const values = [questionId, fromPoints(points)];
    return (await query(this.#db, { sql: anyAbove, values, transaction })).length > 0;
  }
}

const anyAbove = `
  SELECT FROM answers WHERE question_id = $1 AND points > $2::numeric AND rubric_revision IS NULL LIMIT 1`;

const removeAnswers = `
  WITH removed AS (
    DELETE FROM answers a USING questions q
    WHERE a.submission_id = ANY($1::integer[]) AND a.question_id = ANY($2::integer[]) AND q.id = a.question_id
    RETURNING a.submission_id, a.question_id, a.points, q.max_points, q.place)
  INSERT INTO answer_gradings (submission_id, question_id, max_points, reason, graded_by, graded_at)
  SELECT submission_id, question_id, max_points, 'removed', $3::integer, $4::timestamptz
  FROM removed WHERE points IS NOT NULL ORDER BY submission_id, place`;

const answers = `(
  SELECT json_agg(json_build_object(
    'questionId', a.question_id, 'points', (a.points * 10000)::bigint, 'selection', a.selection,
    'adjustment', (a.adjustment * 10000)::bigint, 'isByRubric', a.rubric_revision IS NOT NULL))
  FROM answers a WHERE a.submission_id = s.id)`;

const statements = (tables: GradingTables) => ({
  ids: `SELECT array_agg(id ORDER BY id) AS ids FROM submissions WHERE ${tables.itemId} = $1`,
  gradedAfter: (order: QueueOrder) => `
    SELECT s.id, ${anonymousMask.name(userName)} AS "studentName", s.${tables.grade}::float8 AS grade,
      ${totalOf(tables)} AS "totalGrade", ${answers} AS answers, ${queueKey(order)} AS key
    FROM (
      SELECT s.* FROM submissions s
      WHERE s.${tables.itemId} = $1 AND ${isAfterPlace(order, '$2', '$3')}
        AND EXISTS (SELECT FROM answers a WHERE a.submission_id = s.id AND a.points IS NOT NULL)
      ORDER BY ${inQueueOrder(order)} LIMIT $4) AS s
    LEFT JOIN people p ON p.user_id = s.student_id ${itemJoin(tables)}
    ORDER BY ${inQueueOrder(order)}`,
  add: `
    INSERT INTO answers (submission_id, question_id, submitted_at, code, is_waiting)
    SELECT s.id, question_id, s.submitted_at, s.code,
      ${tables.isUngraded} OR EXISTS (
        SELECT FROM answers a WHERE a.submission_id = s.id AND (a.is_waiting OR a.points IS NOT NULL))
    FROM submissions s CROSS JOIN unnest($2::integer[]) AS question_id
    WHERE s.id = ANY($1::integer[]) ORDER BY s.id`,
});
