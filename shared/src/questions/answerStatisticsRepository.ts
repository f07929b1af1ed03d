import type { ListReads } from '../database/listReads.ts';
import { userNameOf } from '../projections/userColumns.ts';

interface GraderShare {
  id: number;
  name: string | null;
  graded: number;
}

/** The grading progress of a question. */
export interface QuestionProgress {
  questionId: number;
  label: string;
  graded: number;
  /** The number of submissions. */
  total: number;
  mean: number | null;
  graders: GraderShare[];
}

/** Statistics of the graded answers to a question; null if there are none. */
export interface QuestionStatistics {
  questionId: number;
  label: string;
  maxPoints: number;
  mean: number | null;
  median: number | null;
  /** The number of answers in each tenth of the maximum. The last tenth includes full marks. */
  histogram: number[];
  /**
   * Pearson's correlation of the points with the sum of all other questions, over the submissions whose answers are all
   * graded.
   */
  correlation: number | null;
}

const parts = 10;

/** Progress and statistics of the questions of an item, mostly from the totals that triggers maintain. */
export class AnswerStatisticsRepository {
  readonly #lists: ListReads;

  constructor(lists: ListReads) {
    this.#lists = lists;
  }

  progress(itemId: number): Promise<QuestionProgress[]> {
    const statement = { name: 'progress of questions', sql: progress, values: [itemId] };
    return this.#lists.read((select) => select<QuestionProgress>(statement));
  }

  of(itemId: number): Promise<QuestionStatistics[]> {
    const statement = { name: 'statistics of questions', sql: statistics, values: [itemId] };
    return this.#lists.read((select) => select<QuestionStatistics>(statement));
  }
}

const mean = 'round(sum(t.points * t.answers) / nullif(sum(t.answers), 0), 6)::float8';

const progress = `
  SELECT q.id AS "questionId", q.label, counted.graded, counted.mean,
    (SELECT coalesce(sum(g.submissions), 0)::int FROM grading_totals g WHERE g.item_id = $1) AS total,
    (SELECT coalesce(json_agg(json_build_object('id', s.graded_by, 'name', ${userNameOf('p')}, 'graded', s.graded)
       ORDER BY s.graded DESC, s.graded_by), '[]')
     FROM (SELECT t.graded_by, sum(t.answers)::int AS graded FROM answer_totals t
           WHERE t.question_id = q.id GROUP BY 1 HAVING sum(t.answers) > 0) AS s
       LEFT JOIN people p ON p.user_id = s.graded_by) AS graders
  FROM questions q CROSS JOIN LATERAL (
    SELECT coalesce(sum(t.answers), 0)::int AS graded, ${mean} AS mean
    FROM answer_totals t WHERE t.question_id = q.id) AS counted
  WHERE q.item_id = $1 ORDER BY q.place`;

// The median is exact: the middle value, or the mean of the two middle values. Only the correlation reads every graded
// answer of the item. It uses integers of ten-thousandths, whose sums are exact, so that equal points have no variance.
const statistics = `
  WITH graded AS (
    SELECT question_id, points, sum(points) OVER submission AS sum, count(*) OVER submission AS answers
    FROM (
      SELECT question_id, submission_id, (points * 10000)::float8 AS points FROM answers
      WHERE question_id = ANY (ARRAY(SELECT id FROM questions WHERE item_id = $1)) AND points IS NOT NULL) AS answers
    WINDOW submission AS (PARTITION BY submission_id)),
  correlations AS (
    SELECT question_id, round(corr(points, sum - points)::numeric, 6)::float8 AS correlation FROM graded
    WHERE answers = (SELECT count(*) FROM questions WHERE item_id = $1)
    GROUP BY question_id HAVING count(*) >= 3)
  SELECT q.id AS "questionId", q.label, q.max_points::float8 AS "maxPoints", figures.*, correlations.correlation
  FROM questions q CROSS JOIN LATERAL (
    WITH counted AS (
      SELECT t.points, sum(t.answers) AS answers FROM answer_totals t
      WHERE t.question_id = q.id GROUP BY t.points HAVING sum(t.answers) > 0),
    placed AS (
      SELECT points, answers, sum(answers) OVER (ORDER BY points) AS last, sum(answers) OVER () AS total,
        least(div(points * ${parts}, q.max_points), ${parts - 1})::int AS part
      FROM counted)
    SELECT ${mean.replaceAll('t.', '')} AS mean,
      round(avg(points) FILTER (
        WHERE last >= div(total + 1, 2) AND last - answers < div(total, 2) + 1), 6)::float8 AS median,
      (SELECT json_agg((SELECT coalesce(sum(answers), 0) FROM placed WHERE placed.part = each.part) ORDER BY each.part)
       FROM generate_series(0, ${parts - 1}) AS each (part)) AS histogram
    FROM placed) AS figures
  LEFT JOIN correlations ON correlations.question_id = q.id
  WHERE q.item_id = $1 ORDER BY q.place`;
