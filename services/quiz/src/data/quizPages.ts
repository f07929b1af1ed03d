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

const listed = 'quizzes WHERE deleted_at IS NULL';
const ofCourses = `${listed} AND course_id = ANY($3::integer[])`;
const total = 'SELECT total FROM quiz_total';
const totalOfCourses = `SELECT count(*)::integer AS total FROM ${ofCourses}`;

// Submissions are read in the order of an index (submissions_in_order). Names and quizzes are looked up by id regardless of the
// planner's estimates, because the planner cannot know the size of a page.
const pageWith = (ids: string, count: string) => `
  SELECT t.total, q.id, q.title, q.questions_count AS "questionsCount", q.total_grade::float8 AS "totalGrade",
    q.questions_file_id AS "questionsFileId", q.submissions
  FROM (${count}) AS t LEFT JOIN (
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

const idsOf = (from: string, count: string) =>
  pageOfIds({ from, id: 'id', order: ['created_at', 'id'], total: count });
const { fromStart, fromEnd } = idsOf(listed, total);
const queries = {
  'page of quizzes': pageWith(fromStart, total),
  'page of quizzes from the end': pageWith(fromEnd, total),
  'page of quizzes of courses': pageWith(idsOf(ofCourses, totalOfCourses).fromStart, totalOfCourses),
};

/** Pages of quizzes, newest first, with their submissions, oldest first. A page takes one query. */
export class QuizPages {
  readonly #lists: ListReads;
  // Used only to decide which end of the list to read a page from.
  #lastTotal = 0;

  constructor(lists: ListReads) {
    this.#lists = lists;
  }

  /** One page of all quizzes, or of the quizzes of these courses. */
  async page(page: Page, courseIds?: number[]): Promise<{ quizzes: ListedQuiz[]; total: number }> {
    const [name, values] = this.#queryFor(page, courseIds);
    const rows = await this.#lists.read((select) => select<Row>({ name, sql: queries[name], values }));
    const quizzes = rows.flatMap(({ id, total: _, submissions, ...quiz }) =>
      id === null ? [] : [{ ...quiz, id, submissions: readTextRows(submissions).map(readSubmission) }],
    );
    const count = rows[0]?.total ?? 0;
    if (!courseIds) this.#lastTotal = count;
    return { quizzes, total: count };
  }

  #queryFor(page: Page, courseIds?: number[]): [name: keyof typeof queries, values: unknown[]] {
    const values = pageValues(page);
    if (courseIds) return ['page of quizzes of courses', [...values, courseIds]];
    const isNearEnd = values[1] > this.#lastTotal / 2;
    return [isNearEnd ? 'page of quizzes from the end' : 'page of quizzes', values];
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
