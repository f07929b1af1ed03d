import type { ListReads } from '../database/listReads.ts';
import { invalid } from '../errors/appError.ts';
import type { GradingTables } from '../grading/gradingTables.ts';
import type { GradedItem } from '../grading/queuedItem.ts';
import {
  inQueueOrder,
  isAfterPlace,
  ofAnswers,
  type QueueOrder,
  type QueuePlace,
  queueKey,
} from '../grading/queueOrder.ts';
import { type QueueFilter, type Searched, searchConditions, searchedBy } from '../grading/queueRepository.ts';
import { type QueueRow, rowColumns, rowJoins } from '../grading/queueRow.ts';
import { type Answer, type AnswerJson, answerColumns, answersFrom, answerTables } from './answer.ts';

/** A submission in the queue of a question. */
interface AnswerRow extends QueueRow {
  key: string;
  answer: Answer;
}

interface AnswerTotals {
  submissions: number;
  /** The number of graded answers. */
  graded: number;
}

const totals = `
  SELECT (SELECT coalesce(sum(t.submissions), 0)::int FROM grading_totals t WHERE t.item_id = $1) AS submissions,
    (SELECT coalesce(sum(t.answers), 0)::int FROM answer_totals t WHERE t.question_id = $2) AS graded`;

/** The submissions of an item in the order of its queue, with their answers to one question. */
export class AnswerQueueRepository {
  readonly #lists: ListReads;
  readonly #tables: GradingTables;

  constructor(lists: ListReads, tables: GradingTables) {
    this.#lists = lists;
    this.#tables = tables;
  }

  /** Returns the submissions after a position, and the counts of the question. No page costs more than the first. */
  page(
    { id: itemId, isAnonymous }: Pick<GradedItem, 'id' | 'isAnonymous'>,
    questionId: number,
    { status, search }: QueueFilter,
    { order, key, id }: QueuePlace,
    limit: number,
  ): Promise<{ rows: AnswerRow[]; totals: AnswerTotals }> {
    const searched = searchedBy(search, isAnonymous);
    const searchValues = { nothing: [], codes: [search], names: [search, itemId] }[searched];
    return this.#lists.read(async (select) => {
      const rows = await select<Omit<AnswerRow, 'answer'> & { answer: AnswerJson }>({
        name: `queue of a question: ${order}, ${status}, ${searched}`,
        sql: page(this.#tables, order, status, searched),
        values: [questionId, key, id, limit, ...searchValues],
      });
      const [counted] = await select<AnswerTotals>({
        name: 'counts of a question',
        sql: totals,
        values: [itemId, questionId],
      });
      const answers = answersFrom(rows.map(({ answer }) => answer));
      return {
        rows: rows.map((row, index) => ({ ...row, answer: answers[index] as Answer })),
        totals: counted ?? { submissions: 0, graded: 0 },
      };
    });
  }
}

/** 422 for a question that does not belong to the item. */
export const unknownQuestion = () => invalid({ question_id: ['The selected question id is invalid.'] });

const has: Record<QueueFilter['status'], string> = {
  all: 'true',
  ungraded: 'a.is_waiting',
  graded: 'a.points IS NOT NULL',
};

function page(
  tables: GradingTables,
  order: QueueOrder,
  status: QueueFilter['status'],
  searched: Searched,
): string {
  const matches = searchConditions(tables, { search: '$5', itemId: '$6' })[searched];
  return `
    SELECT ${rowColumns(tables)}, ${queueKey(order)} AS key,
      (SELECT row_to_json(each) FROM (
        SELECT ${answerColumns} FROM ${answerTables} WHERE a.submission_id = s.id AND a.question_id = $1) AS each) AS answer
    FROM (
      SELECT s.* FROM answers a JOIN submissions s ON s.id = a.submission_id
        ${searched === 'names' ? 'JOIN people p ON p.user_id = s.student_id' : ''}
      WHERE a.question_id = $1 AND ${isAfterPlace(order, '$2', '$3', ofAnswers)} AND ${has[status]} AND ${matches}
      ORDER BY ${inQueueOrder(order, ofAnswers)} LIMIT $4
    ) AS s ${rowJoins(tables)}
    ORDER BY ${inQueueOrder(order)}`;
}
