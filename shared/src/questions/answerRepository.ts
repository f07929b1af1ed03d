import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import { type Answer, answerColumns, answerTables } from './answer.ts';

const find = `
  SELECT ${answerColumns} FROM ${answerTables}
  WHERE a.question_id = $1 AND a.submission_id = ANY($2::integer[]) ORDER BY a.submission_id`;
const ofSubmission = `SELECT ${answerColumns} FROM ${answerTables} WHERE a.submission_id = $1 ORDER BY q.place`;

/** The answers of submissions. */
export class AnswerRepository {
  readonly #db: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
  }

  /** Returns the answers of these submissions to a question, by the id of the submission. */
  of(questionId: number, submissionIds: number[], transaction?: Transaction): Promise<Answer[]> {
    const values = [questionId, submissionIds];
    return query<Answer>(this.#db, { name: 'answers to a question', sql: find, values, transaction });
  }

  /** Returns all answers of a submission, in the order of the questions. */
  ofSubmission(submissionId: number): Promise<Answer[]> {
    const values = [submissionId];
    return query<Answer>(this.#db, { name: 'answers of a submission', sql: ofSubmission, values });
  }

  async find(
    submissionId: number,
    questionId: number,
    transaction?: Transaction,
  ): Promise<Answer | undefined> {
    const [answer] = await this.of(questionId, [submissionId], transaction);
    return answer;
  }
}
