import type { ListReads } from '../database/listReads.ts';
import { userNameOf } from '../projections/userColumns.ts';
import { type GradingTables, totalOf } from './gradingTables.ts';

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

/** Computes statistics of the grades of an item, from exact decimals. */
export class StatisticsRepository {
  readonly #lists: ListReads;
  readonly #sql: ReturnType<typeof statements>;

  constructor(lists: ListReads, tables: GradingTables) {
    this.#lists = lists;
    this.#sql = statements(tables);
  }

  of(itemId: number): Promise<Statistics> {
    const { figures, histogram, rubric, graders } = this.#sql;
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

function statements(tables: GradingTables) {
  const { itemId, grade, isGraded } = tables;
  const graded = `FROM submissions s WHERE s.${itemId} = $1 AND ${isGraded}`;
  return {
    // PostgreSQL's percentile_cont returns a floating-point number. This median is the middle grade, or the mean of the two
    // middle grades.
    figures: `
      WITH grades AS (
        SELECT s.${grade}::numeric AS grade, row_number() OVER (ORDER BY s.${grade}) AS place, count(*) OVER () AS total
        ${graded})
      SELECT (SELECT count(*)::int FROM submissions s WHERE s.${itemId} = $1) AS submissions, count(*)::int AS graded,
        round(avg(grade), 6)::float8 AS mean,
        round(avg(grade) FILTER (WHERE place IN ((total + 1) / 2, total / 2 + 1)), 6)::float8 AS median,
        round(stddev_pop(grade), 6)::float8 AS "standardDeviation",
        min(grade)::float8 AS minimum, max(grade)::float8 AS maximum
      FROM grades`,
    histogram: `
      SELECT least(div(s.${grade}::numeric * ${parts}, (${totalOf(tables)})::numeric), ${parts - 1})::int AS part,
        count(*)::int AS count
      ${graded} GROUP BY 1`,
    rubric: `
      SELECT i.id AS "itemId", i.text, i.uses
      FROM rubric_items i JOIN rubrics r ON r.item_id = i.item_id AND NOT r.is_deleted
      WHERE i.item_id = $1 ORDER BY i.place`,
    graders: `
      SELECT s.graded_by AS id, ${userNameOf('p')} AS name, s.graded
      FROM (SELECT s.graded_by, count(*)::int AS graded ${graded} GROUP BY s.graded_by) AS s
        LEFT JOIN people p ON p.user_id = s.graded_by
      ORDER BY s.graded DESC, s.graded_by`,
  };
}
