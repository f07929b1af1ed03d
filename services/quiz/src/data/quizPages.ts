import type { ListReads } from '@gradeway/shared/database/listReads';
import { pageOfIds, pageValues } from '@gradeway/shared/database/pageOfIds';
import { readJsonString, readNumber, readTextRows, textRows } from '@gradeway/shared/database/textRows';
import type { Page } from '@gradeway/shared/http/pagination';
import { userName } from '@gradeway/shared/projections/userColumns';
import type { Quiz } from '../domain/quiz.ts';
import type { ListedSubmission } from './submissionQueries.ts';

/** A quiz in the administrators' list. */
interface ListedQuiz
  extends Pick<Quiz, 'id' | 'title' | 'questionsCount' | 'totalGrade' | 'questionsFileId'> {
  submissions: ListedSubmission[];
}

interface Row extends Omit<ListedQuiz, 'id' | 'submissions'> {
  /** Null on a page without quizzes, whose only row contains the total. */
  id: number | null;
  total: number;
  /** {@link textRows}. */
  submissions: string;
}

const total = 'SELECT total FROM quiz_total';

// Submissions are read in the order of an index (submissions_in_order). Names and quizzes are looked up by id regardless of the
// planner's estimates, because the planner cannot know the size of a page.
const pageWith = (ids: string) => `
  SELECT t.total, q.id, q.title, q.questions_count AS "questionsCount", q.total_grade::float8 AS "totalGrade",
    q.questions_file_id AS "questionsFileId", q.submissions
  FROM quiz_total t LEFT JOIN (
    SELECT quizzes.*, (
      SELECT ${textRows(['s.id', 's.file_id', 's.grade', 's.total_grade', 's.name'])} FROM (
        SELECT id, file_id, grade, total_grade,
          (SELECT to_json(${userName}) FROM people p WHERE p.user_id = student_id) AS name
        FROM submissions WHERE quiz_id = quizzes.id ORDER BY submitted_at, id
      ) AS s
    ) AS submissions
    FROM quizzes WHERE id = ANY (ARRAY(${ids}))
  ) AS q ON true
  ORDER BY q.created_at DESC, q.id DESC`;

const { fromStart, fromEnd } = pageOfIds({
  from: 'quizzes WHERE deleted_at IS NULL',
  id: 'id',
  order: ['created_at', 'id'],
  total,
});
const queries = {
  'page of quizzes': pageWith(fromStart),
  'page of quizzes from the end': pageWith(fromEnd),
};

/** Pages of all quizzes, newest first, with their submissions, oldest first. A page takes one query. */
export class QuizPages {
  readonly #lists: ListReads;
  // Used only to decide from which end a page is read.
  #lastTotal = 0;

  constructor(lists: ListReads) {
    this.#lists = lists;
  }

  async page(page: Page): Promise<{ quizzes: ListedQuiz[]; total: number }> {
    const values = pageValues(page);
    const isNearEnd = values[1] > this.#lastTotal / 2;
    const name = isNearEnd ? 'page of quizzes from the end' : 'page of quizzes';
    const rows = await this.#lists.read((select) => select<Row>({ name, sql: queries[name], values }));
    const quizzes = rows.flatMap(({ id, total: _, submissions, ...quiz }) =>
      id === null ? [] : [{ ...quiz, id, submissions: readTextRows(submissions).map(readSubmission) }],
    );
    this.#lastTotal = rows[0]?.total ?? 0;
    return { quizzes, total: this.#lastTotal };
  }
}

function readSubmission([id, fileId, grade, totalGrade, name]: string[]): ListedSubmission {
  return {
    id: Number(id),
    fileId: readNumber(fileId),
    grade: readNumber(grade),
    totalGrade: readNumber(totalGrade),
    studentName: readJsonString(name),
  };
}
