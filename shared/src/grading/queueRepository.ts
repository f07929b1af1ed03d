import type { ListReads } from '../database/listReads.ts';
import { type SelectedPage, selectPage } from '../database/selectPage.ts';
import type { Page } from '../http/pagination.ts';
import { isAnonymousById, isAnonymousItem } from '../items/anonymity.ts';
import { settingsColumns } from '../items/settingsColumns.ts';
import { userMatches } from '../projections/userColumns.ts';
import { countClaimedAnswers } from '../questions/wholeClaim.ts';
import type { GradingTables } from './gradingTables.ts';
import type { DescribedItem, GradedItem, ItemState, QueuedItem } from './queuedItem.ts';
import { inQueueOrder, isAfterPlace, type QueueOrder, type QueuePlace, queueKey } from './queueOrder.ts';
import { type QueueRow, rowColumns, rowJoins } from './queueRow.ts';

interface ItemTotals {
  submissions: number;
  graded: number;
}

export interface QueueFilter {
  status: 'all' | 'ungraded' | 'graded';
  /**
   * Part of the student's full name, email address or mobile number, or of an anonymous student's code. Empty for all
   * students.
   */
  search: string;
  /** The question whose answers are listed; undefined for whole submissions. */
  questionId?: number | undefined;
}

/** The values that a search compares: none if there is no search term, codes if students are anonymous. */
export type Searched = 'nothing' | 'names' | 'codes';

export const searchedBy = (search: string, isAnonymous: boolean): Searched =>
  search === '' ? 'nothing' : isAnonymous ? 'codes' : 'names';

/** SQL for whether the student `p` of a submission `s` matches the search in these parameters. */
export const searchConditions = (
  tables: GradingTables,
  { search, itemId }: { search: string; itemId: string },
): Record<Searched, string> => ({
  nothing: 'true',
  // Finds nobody if the item has become anonymous since it was read.
  names: `${userMatches(search)} AND NOT ${isAnonymousById(tables, itemId)}`,
  codes: `position(upper(trim(${search})) IN s.code) > 0`,
});

const totals = `
  SELECT coalesce(sum(submissions), 0)::int AS submissions, coalesce(sum(graded), 0)::int AS graded
  FROM grading_totals t WHERE t.item_id =`;

// An item that opens later counts as open. An item that accepts late work counts as closed once it no longer does.
// Submissions are accepted up to and including the closing time.
const stateOfItem = `
  CASE WHEN NOT published THEN 'draft'
    WHEN closes_at IS NOT NULL AND greatest(closes_at, (late->>'until')::timestamptz) < now() THEN 'closed'
    ELSE 'open' END`;

/** The items to grade, and the submissions for each in the order of its queue. */
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

  /** Returns one page of the items of these courses, or of all courses, newest first; in one state, or in any state. */
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
    { id: itemId, isAnonymous }: Pick<GradedItem, 'id' | 'isAnonymous'>,
    { status, search }: QueueFilter,
    { order, key, id }: QueuePlace,
    limit: number,
  ): Promise<{ rows: (Row & { key: string })[]; totals: ItemTotals }> {
    const searched = searchedBy(search, isAnonymous);
    const values = [itemId, key, id, limit, ...(search === '' ? [] : [search])];
    return this.#lists.read(async (select) => {
      const rows = await select<Row & { key: string }>({
        name: `queue: ${order}, ${status}, ${searched}`,
        sql: this.#sql.page(order, status, searched),
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
        SELECT count(*)::int + (${countClaimedAnswers('i.id')}) AS claimed
        FROM claims c JOIN submissions s ON s.id = c.submission_id
        WHERE c.item_id = i.id AND c.claimed_until > now() AND ${isUngraded}
      ) AS claimed
    ORDER BY i.created_at DESC, i.id DESC`;
  const has: Record<QueueFilter['status'], string> = { all: 'true', ungraded: isUngraded, graded: isGraded };
  const matches = searchConditions(tables, { search: '$5', itemId: '$1' });
  const page = (order: QueueOrder, status: QueueFilter['status'], searched: Searched) => `
    SELECT ${rowColumns(tables)}, ${queueKey(order)} AS key
    FROM (
      SELECT s.* FROM submissions s ${searched === 'names' ? 'JOIN people p ON p.user_id = s.student_id' : ''}
      WHERE s.${itemId} = $1 AND ${isAfterPlace(order, '$2', '$3')} AND ${has[status]} AND ${matches[searched]}
      ORDER BY ${inQueueOrder(order)} LIMIT $4
    ) AS s ${rowJoins(tables)}
    ORDER BY ${inQueueOrder(order)}`;
  const ofPage = 'ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3';
  const inState = `WHERE ($1::text IS NULL OR ${stateOfItem} = $1)`;
  const ofCourses = (parameter: string) => `${inState} AND course_id = ANY(${parameter}::integer[])`;
  const count = `SELECT count(*)::int AS total FROM (${items}) AS i`;
  return {
    item: `
      SELECT i.id, i.course_id AS "courseId", i.graders_edit_rubric AS "gradersEditRubric",
        i.submission_order AS "order", ${isAnonymousItem('i')} AS "isAnonymous",
        EXISTS (SELECT FROM questions q WHERE q.item_id = i.id) AS "hasQuestions"
      FROM (${items}) AS i WHERE i.id = $1`,
    count: `${count} ${ofCourses('$2')}`,
    countOfAll: `${count} ${inState}`,
    items: itemsWhere(`${ofCourses('$4')} ${ofPage}`),
    itemsOfAll: itemsWhere(`${inState} ${ofPage}`),
    described: itemsWhere(
      'WHERE id = $1',
      `, i.total_grade::float8 AS "ownTotal", i.duration_minutes::float8 AS "durationMinutes",
      i.questions_count AS "questionsCount", i.description, i.file_id AS "fileId"`,
    ),
    page,
  };
}
