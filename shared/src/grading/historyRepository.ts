import type { ListReads } from '../database/listReads.ts';
import { readPageOf, type SelectedPage } from '../database/selectPage.ts';
import type { Page } from '../http/pagination.ts';
import { isServiceOf, userNameOf } from '../projections/userColumns.ts';
import type { GradingTables } from './gradingTables.ts';
import type { Points } from './points.ts';

/** An entry in the history of a submission. */
export interface HistoryEntry {
  /** Null if the entry records that a grading was undone; it then has only `gradedBy` and `gradedAt`. */
  grade: number | null;
  totalGrade: number | null;
  comment: string | null;
  selection: number[];
  adjustment: Points;
  rubricRevision: number | null;
  /**
   * `rubric` for a grade that changed with the rubric, `ungraded` for an undone grading: `gradedBy` is then the person
   * who changed the rubric or undid the grading. `questions` for a grade computed from the answers, `review` for a
   * grading while a review is open.
   */
  reason: 'graded' | 'rubric' | 'ungraded' | 'questions' | 'review';
  gradedBy: number;
  graderName: string | null;
  graderIsService: boolean | null;
  gradedAt: Date;
}

/** All entries of a submission, or only its gradings. */
type Entries = 'all' | 'gradings';

/** The gradings of submissions, and entries for undone gradings. */
export class HistoryRepository {
  readonly #lists: ListReads;
  readonly #sql: Record<Entries, { count: string; page: string }>;

  constructor(lists: ListReads, tables: GradingTables) {
    this.#lists = lists;
    this.#sql = {
      all: statements(tables, ''),
      gradings: statements(tables, "AND g.reason <> 'ungraded'"),
    };
  }

  /** One page, newest first. */
  page(submissionId: number, page: Page, entries: Entries): Promise<SelectedPage<HistoryEntry>> {
    const list = { name: `history: ${entries}`, ...this.#sql[entries], values: [submissionId] };
    return readPageOf(this.#lists, list, page);
  }
}

function statements({ grade, totalGrade }: GradingTables, condition: string) {
  const total = totalGrade ? `g.${totalGrade}::float8` : `CASE WHEN g.${grade} IS NOT NULL THEN 10 END`;
  return {
    count: `SELECT count(*)::int AS total FROM gradings g WHERE g.submission_id = $1 ${condition}`,
    page: `
      SELECT g.${grade}::float8 AS grade, ${total} AS "totalGrade", g.comment, g.selection,
        (g.adjustment * 10000)::float8 AS adjustment, g.rubric_revision AS "rubricRevision", g.reason,
        g.graded_by AS "gradedBy", ${userNameOf('p')} AS "graderName", ${isServiceOf('p')} AS "graderIsService", g.graded_at AS "gradedAt"
      FROM gradings g LEFT JOIN people p ON p.user_id = g.graded_by
      WHERE g.submission_id = $1 ${condition} ORDER BY g.id DESC LIMIT $2 OFFSET $3`,
  };
}
