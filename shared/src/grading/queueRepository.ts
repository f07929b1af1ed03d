import type { ListReads } from '../database/listReads.ts';
import { type SelectedPage, selectPage } from '../database/selectPage.ts';
import type { Page } from '../http/pagination.ts';
import { settingsColumns } from '../items/settingsColumns.ts';
import { userMatches } from '../projections/userColumns.ts';
import type { GradingTables } from './gradingTables.ts';
import type { DescribedItem, GradedItem, ItemState, QueuedItem } from './queuedItem.ts';
import { type QueueRow, rowColumns, rowJoins } from './queueRow.ts';

interface ItemTotals {
  submissions: number;
  graded: number;
}

export interface QueueFilter {
  status: 'all' | 'ungraded' | 'graded';
  /** Part of the student's full name, email address or number. Empty for all students. */
  search: string;
}

/** A position in the queue: that of a submission, or the start. */
export interface QueuePlace {
  /** The time of the upload with all digits, as text that PostgreSQL reads. */
  submittedAt: string;
  id: number;
}

export const startOfQueue: QueuePlace = { submittedAt: '-infinity', id: 0 };

const totals = `
  SELECT coalesce(sum(submissions), 0)::int AS submissions, coalesce(sum(graded), 0)::int AS graded
  FROM grading_totals t WHERE t.item_id =`;

// An item that opens later counts as open; one that accepts late work closes when it no longer does. Submissions are accepted up
// to and including the closing time.
const stateOfItem = `
  CASE WHEN NOT published THEN 'draft'
    WHEN closes_at IS NOT NULL AND greatest(closes_at, (late->>'until')::timestamptz) < now() THEN 'closed'
    ELSE 'open' END`;

/** The items to grade, and the submissions for each in the order of their uploads. */
export class QueueRepository<Row extends QueueRow = QueueRow> {
  readonly #lists: ListReads;
  readonly #sql: ReturnType<typeof statements>;

  constructor(lists: ListReads, tables: GradingTables) {
    this.#lists = lists;
    this.#sql = statements(tables);
  }

  /** Finds an item that is not removed. */
  findItem(id: number): Promise<GradedItem | undefined> {
    const { item: sql } = this.#sql;
    return this.#lists.read(
      async (select) => (await select<GradedItem>({ name: 'item to grade', sql, values: [id] }))[0],
    );
  }

  /** Finds an item that is not removed, with its description. */
  describe(id: number): Promise<DescribedItem | undefined> {
    const { described } = this.#sql;
    return this.#lists.read(
      async (select) => (await select<DescribedItem>({ name: 'one item', sql: described, values: [id] }))[0],
    );
  }

  /** Returns one page of the items of these courses, or of all courses, in one state, or in any; newest first. */
  items(
    courseIds: number[] | undefined,
    state: ItemState | undefined,
    page: Page,
  ): Promise<SelectedPage<QueuedItem>> {
    const { count, countOfAll, items, itemsOfAll } = this.#sql;
    return this.#lists.read(async (select) => {
      const [counted] = courseIds
        ? await select<{ total: number }>({
            name: 'number of items to grade',
            sql: count,
            values: [state ?? null, courseIds],
          })
        : await select<{ total: number }>({
            name: 'number of all items to grade',
            sql: countOfAll,
            values: [state ?? null],
          });
      return selectPage(page, counted?.total ?? 0, (limit, offset) =>
        courseIds
          ? select<QueuedItem>({
              name: 'items to grade',
              sql: items,
              values: [state ?? null, limit, offset, courseIds],
            })
          : select<QueuedItem>({
              name: 'all items to grade',
              sql: itemsOfAll,
              values: [state ?? null, limit, offset],
            }),
      );
    });
  }

  /**
   * Returns the submissions after a position in the queue, and the counts of the whole item. An index serves each filter except
   * the search, so no page costs more than the first.
   */
  page(
    itemId: number,
    { status, search }: QueueFilter,
    after: QueuePlace,
    limit: number,
  ): Promise<{ rows: (Row & { place: string })[]; totals: ItemTotals }> {
    const kind = search === '' ? status : (`found ${status}` as const);
    const values = [itemId, after.submittedAt, after.id, limit, ...(search === '' ? [] : [search])];
    return this.#lists.read(async (select) => {
      const rows = await select<Row & { place: string }>({
        name: `queue: ${kind}`,
        sql: this.#sql.pages[kind],
        values,
      });
      const [counted] = await select<ItemTotals>({
        name: 'counts of an item',
        sql: `${totals} $1`,
        values: [itemId],
      });
      return { rows, totals: counted ?? { submissions: 0, graded: 0 } };
    });
  }
}

function statements(tables: GradingTables) {
  const { items, itemId, isGraded, isUngraded } = tables;
  const itemsWhere = (condition: string, further = '') => `
    SELECT i.id, i.title, i.course_id AS "courseId", i.closes_at AS "closesAt",
      i.opens_at AS "opensAt", i.item_created_at AS "createdAt", ${settingsColumns('i')},
      coalesce(r.max_points, i.total_grade)::float8 AS "totalGrade", r.item_id IS NOT NULL AS "hasRubric",
      counted.submissions, counted.graded, claimed.claimed ${further}
    FROM (SELECT * FROM (${items}) AS i ${condition}) AS i
      LEFT JOIN rubrics r ON r.item_id = i.id AND NOT r.is_deleted
      CROSS JOIN LATERAL (${totals} i.id) AS counted
      CROSS JOIN LATERAL (
        SELECT count(*)::int AS claimed FROM claims c JOIN submissions s ON s.id = c.submission_id
        WHERE c.item_id = i.id AND c.claimed_until > now() AND ${isUngraded}
      ) AS claimed
    ORDER BY i.created_at DESC, i.id DESC`;
  const pageWhere = (condition: string, isFound: boolean) => `
    SELECT ${rowColumns(tables)}, to_char(s.submitted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS place
    FROM (
      SELECT s.* FROM submissions s ${isFound ? 'JOIN people p ON p.user_id = s.student_id' : ''}
      WHERE s.${itemId} = $1 AND (s.submitted_at, s.id) > ($2::timestamptz, $3::integer)
        AND ${condition} ${isFound ? `AND ${userMatches('$5')}` : ''}
      ORDER BY s.submitted_at, s.id LIMIT $4
    ) AS s ${rowJoins}
    ORDER BY s.submitted_at, s.id`;
  const page = 'ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3';
  const inState = `WHERE ($1::text IS NULL OR ${stateOfItem} = $1)`;
  const ofCourses = (parameter: string) => `${inState} AND course_id = ANY(${parameter}::integer[])`;
  const count = `SELECT count(*)::int AS total FROM (${items}) AS i`;
  return {
    item: `
      SELECT i.id, i.course_id AS "courseId", i.graders_edit_rubric AS "gradersEditRubric"
      FROM (${items}) AS i WHERE i.id = $1`,
    count: `${count} ${ofCourses('$2')}`,
    countOfAll: `${count} ${inState}`,
    items: itemsWhere(`${ofCourses('$4')} ${page}`),
    itemsOfAll: itemsWhere(`${inState} ${page}`),
    described: itemsWhere(
      'WHERE id = $1',
      `, i.total_grade::float8 AS "ownTotal", i.duration_minutes::float8 AS "durationMinutes",
      i.questions_count AS "questionsCount", i.description, i.file_id AS "fileId"`,
    ),
    pages: {
      all: pageWhere('true', false),
      ungraded: pageWhere(isUngraded, false),
      graded: pageWhere(isGraded, false),
      'found all': pageWhere('true', true),
      'found ungraded': pageWhere(isUngraded, true),
      'found graded': pageWhere(isGraded, true),
    },
  };
}
