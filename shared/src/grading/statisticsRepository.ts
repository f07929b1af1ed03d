import type { ListReads } from '../database/listReads.ts';
import { userNameOf } from '../projections/userColumns.ts';

/** Statistics of the grades of an item; null without grades. */
interface GradeFigures {
  mean: number | null;
  median: number | null;
  /** The population's standard deviation. */
  standardDeviation: number | null;
  minimum: number | null;
  maximum: number | null;
}

export interface Statistics extends GradeFigures {
  submissions: number;
  graded: number;
  /** The number of grades in each tenth of the total. The last tenth includes full marks. */
  histogram: number[];
  rubric: { itemId: number; text: string; uses: number }[];
  graders: { id: number; name: string | null; graded: number }[];
}

const parts = 10;

/** Computes statistics of the grades of an item, from exact decimals: the totals that triggers keep. */
export class StatisticsRepository {
  readonly #lists: ListReads;

  constructor(lists: ListReads) {
    this.#lists = lists;
  }

  of(itemId: number): Promise<Statistics> {
    return this.#lists.read(async (select) => {
      type Figures = GradeFigures & Pick<Statistics, 'submissions' | 'graded'>;
      const [row] = await select<Figures>({ name: 'figures of grades', sql: figures, values: [itemId] });
      const counts = await select<{ part: number; count: number }>({
        name: 'histogram of grades',
        sql: histogram,
        values: [itemId],
      });
      const countOf = new Map(counts.map(({ part, count }) => [part, count]));
      return {
        ...(row as Figures),
        histogram: Array.from({ length: parts }, (_, part) => countOf.get(part) ?? 0),
        rubric: await select<Statistics['rubric'][number]>({
          name: 'uses of a rubric',
          sql: rubric,
          values: [itemId],
        }),
        graders: await select<Statistics['graders'][number]>({
          name: 'graders of an item',
          sql: graders,
          values: [itemId],
        }),
      };
    });
  }
}

// Each grade with the number of its submissions. The median is exact: the middle grade, or the mean of the two middle grades.
const figures = `
  WITH counted AS (
    SELECT grade, sum(submissions) AS count FROM grade_totals WHERE item_id = $1 GROUP BY grade HAVING sum(submissions) > 0),
  placed AS (
    SELECT grade, count, sum(count) OVER (ORDER BY grade) AS last, sum(count) OVER () AS total FROM counted)
  SELECT (SELECT coalesce(sum(submissions), 0)::int FROM grading_totals WHERE item_id = $1) AS submissions,
    coalesce(sum(count), 0)::int AS graded, round(sum(grade * count) / sum(count), 6)::float8 AS mean,
    round(avg(grade) FILTER (
      WHERE last >= div(total + 1, 2) AND last - count < div(total, 2) + 1), 6)::float8 AS median,
    round(sqrt(sum(count) * sum(grade * grade * count) - sum(grade * count) * sum(grade * count)) / sum(count), 6)::float8 AS "standardDeviation",
    min(grade)::float8 AS minimum, max(grade)::float8 AS maximum
  FROM placed`;
const histogram = `
  SELECT least(div(grade * ${parts}, total_grade), ${parts - 1})::int AS part, sum(submissions)::int AS count
  FROM grade_totals WHERE item_id = $1 GROUP BY 1 HAVING sum(submissions) > 0`;
const rubric = `
  SELECT i.id AS "itemId", i.text, i.uses
  FROM rubric_items i JOIN rubrics r ON r.item_id = i.item_id AND NOT r.is_deleted
  WHERE i.item_id = $1 ORDER BY i.place`;
const graders = `
  SELECT s.graded_by AS id, ${userNameOf('p')} AS name, s.graded
  FROM (
    SELECT graded_by, sum(submissions)::int AS graded FROM grader_totals WHERE item_id = $1
    GROUP BY graded_by HAVING sum(submissions) > 0) AS s
    LEFT JOIN people p ON p.user_id = s.graded_by
  ORDER BY s.graded DESC, s.graded_by`;
