import type { ListReads } from '../database/listReads.ts';
import { type SelectedPage, selectPage } from '../database/selectPage.ts';
import type { Page } from '../http/pagination.ts';
import { userNameOf } from '../projections/userColumns.ts';
import type { GradingTables } from './gradingTables.ts';
import type { Points } from './points.ts';

/** An entry in the history of a submission. */
export interface HistoryEntry {
  /** Null for the undoing of a grading, like everything but who did it and when. */
  grade: number | null;
  totalGrade: number | null;
  comment: string | null;
  selection: number[];
  adjustment: Points;
  rubricRevision: number | null;
  /** `rubric` for a grade that changed with the rubric, `ungraded` for an undoing. `gradedBy` changed the rubric or undid it. */
  reason: 'graded' | 'rubric' | 'ungraded';
  gradedBy: number;
  graderName: string | null;
  gradedAt: Date;
}

const count = 'SELECT count(*)::int AS total FROM gradings WHERE submission_id = $1';

/** The gradings of a submission. */
export class HistoryRepository {
  readonly #lists: ListReads;
  readonly #page: string;

  constructor(lists: ListReads, { grade, totalGrade }: GradingTables) {
    this.#lists = lists;
    this.#page = `
      SELECT g.${grade}::float8 AS grade, ${totalGrade ? `g.${totalGrade}::float8` : `CASE WHEN g.${grade} IS NOT NULL THEN 10 END`} AS "totalGrade", g.comment,
        g.selection, (g.adjustment * 10000)::float8 AS adjustment, g.rubric_revision AS "rubricRevision", g.reason,
        g.graded_by AS "gradedBy", ${userNameOf('p')} AS "graderName", g.graded_at AS "gradedAt"
      FROM gradings g LEFT JOIN people p ON p.user_id = g.graded_by
      WHERE g.submission_id = $1 ORDER BY g.id DESC LIMIT $2 OFFSET $3`;
  }

  /** One page, newest first. */
  page(submissionId: number, page: Page): Promise<SelectedPage<HistoryEntry>> {
    return this.#lists.read(async (select) => {
      const [counted] = await select<{ total: number }>({
        name: 'number of gradings',
        sql: count,
        values: [submissionId],
      });
      return selectPage(page, counted?.total ?? 0, (limit, offset) =>
        select<HistoryEntry>({
          name: 'gradings for graders',
          sql: this.#page,
          values: [submissionId, limit, offset],
        }),
      );
    });
  }
}
