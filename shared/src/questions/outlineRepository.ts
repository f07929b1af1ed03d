import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import { fromPoints, type Points } from '../grading/points.ts';
import type { CountedRubric } from '../grading/rubricRepository.ts';
import { rubricOfQuestion } from './answer.ts';
import type { Outline, Question } from './question.ts';

/** A question with its rubric and the number of its graded answers. */
export interface CountedQuestion extends Question {
  rubric: CountedRubric | null;
  graded: number;
}

export interface CountedOutline extends Outline {
  questions: CountedQuestion[];
}

/** A question after a change. A new one has no id. */
export interface ChangedQuestion extends Omit<Question, 'id'> {
  id: number | null;
}

const columns = `
  q.id, q.label, q.title, (q.max_points * 10000)::float8 AS "maxPoints", q.region`;

const counted = `
  SELECT ${columns}, ${rubricOfQuestion} AS rubric,
    (SELECT coalesce(sum(t.answers), 0)::int FROM answer_totals t WHERE t.question_id = q.id) AS graded
  FROM questions q WHERE q.item_id = $1 ORDER BY q.place`;

const revision = 'SELECT revision FROM outlines WHERE item_id = $1';
const lockEditors = "SELECT pg_advisory_xact_lock(hashtext('outline editors'), $1)";
const lock = 'SELECT lock_outline($1)';
const anyQuestion = 'SELECT FROM questions WHERE item_id = $1 LIMIT 1';
const maxPoints = `
  SELECT (max_points * 10000)::float8 AS "maxPoints" FROM questions WHERE item_id = $1 AND id = $2`;
const next = `
  INSERT INTO outlines AS o (item_id, revision) VALUES ($1, 1)
  ON CONFLICT (item_id) DO UPDATE SET revision = o.revision + 1 RETURNING revision`;

const given = `
  jsonb_to_recordset($2::jsonb) AS given (
    id integer, place integer, label text, title text, max_points numeric, region jsonb)`;
const update = `
  UPDATE questions q
  SET place = given.place, label = given.label, title = given.title, max_points = given.max_points, region = given.region
  FROM ${given} WHERE q.item_id = $1 AND q.id = given.id`;
const insert = `
  INSERT INTO questions (item_id, place, label, title, max_points, region)
  SELECT $1::integer, place, label, title, max_points, region FROM ${given} WHERE id IS NULL ORDER BY place
  RETURNING id`;
const remove = 'DELETE FROM questions WHERE item_id = $1 AND id = ANY($2::integer[])';
const removeTotals = 'DELETE FROM answer_totals WHERE question_id = ANY($1::integer[])';

/** The questions of items. */
export class OutlineRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  async find(itemId: number, transaction?: Transaction): Promise<CountedOutline> {
    const values = [itemId];
    const [row] = await query<{ revision: number }>(this.#db, { sql: revision, values, transaction });
    if (!row) return { revision: 0, questions: [] };
    const questions = await query<CountedQuestion>(this.#db, { sql: counted, values, transaction });
    return { ...row, questions };
  }

  async hasQuestions(itemId: number, transaction?: Transaction): Promise<boolean> {
    const rows = await query(this.#db, { sql: anyQuestion, values: [itemId], transaction });
    return rows.length > 0;
  }

  /** The maximum of a question; undefined if the item has no such question. */
  async maxPointsOf(
    itemId: number,
    questionId: number,
    transaction?: Transaction,
  ): Promise<Points | undefined> {
    type Row = { maxPoints: Points };
    const values = [itemId, questionId];
    const statement = { name: 'maximum of a question', sql: maxPoints, values };
    const [row] = await query<Row>(this.#db, { ...statement, transaction });
    return row?.maxPoints;
  }

  async hasQuestion(itemId: number, questionId: number, transaction?: Transaction): Promise<boolean> {
    return (await this.maxPointsOf(itemId, questionId, transaction)) !== undefined;
  }

  /**
   * Blocks other changes to an item's outline and rubrics until the transaction ends. Each of these
   * changes takes this lock first.
   */
  async lockEditors(itemId: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: lockEditors, values: [itemId], transaction });
  }

  /**
   * Excludes new submissions for the item until the end of the transaction. Earlier submissions are visible to the next
   * statement. Handing in for a student locks the item before the outline, so this caller must lock the item first,
   * too.
   */
  async lock(itemId: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: lock, values: [itemId], transaction });
  }

  /**
   * Writes the questions of a locked outline as a new revision. Returns the ids of new questions. Omitted questions
   * remain until {@link remove}.
   */
  async save(itemId: number, questions: ChangedQuestion[], transaction: Transaction): Promise<number[]> {
    await query(this.#db, { sql: next, values: [itemId], transaction });
    const rows = questions.map(({ maxPoints, ...question }, index) => ({
      ...question,
      place: index + 1,
      max_points: fromPoints(maxPoints),
    }));
    const values = [itemId, JSON.stringify(rows)];
    await query(this.#db, { sql: update, values, transaction });
    const added = await query<{ id: number }>(this.#db, { sql: insert, values, transaction });
    return added.map(({ id }) => id);
  }

  /** Removes questions with their rubrics and groups. The history of their answers remains. */
  async remove(itemId: number, questionIds: number[], transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: remove, values: [itemId, questionIds], transaction });
    await query(this.#db, { sql: removeTotals, values: [questionIds], transaction });
  }
}
