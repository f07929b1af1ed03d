import type { ListReads } from '../database/listReads.ts';
import { readPageOf, type SelectedPage } from '../database/selectPage.ts';
import type { Points } from '../grading/points.ts';
import type { Page } from '../http/pagination.ts';
import { isServiceOf, userNameOf } from '../projections/userColumns.ts';

/** An entry in the history of an answer. */
export interface AnswerHistoryEntry {
  /** Null if the answer became ungraded. */
  points: Points | null;
  maxPoints: Points;
  comment: string | null;
  selection: number[];
  adjustment: Points;
  rubricRevision: number | null;
  reason: 'graded' | 'rubric' | 'review' | 'removed';
  /** The grader, or the person who changed the rubric or made the answer ungraded. */
  gradedBy: number;
  graderName: string | null;
  graderIsService: boolean | null;
  gradedAt: Date;
}

const count = `
  SELECT count(*)::int AS total FROM answer_gradings g WHERE g.submission_id = $1 AND g.question_id = $2`;
const page = `
  SELECT (g.points * 10000)::float8 AS points, (g.max_points * 10000)::float8 AS "maxPoints", g.comment, g.selection,
    (g.adjustment * 10000)::float8 AS adjustment, g.rubric_revision AS "rubricRevision", g.reason,
    g.graded_by AS "gradedBy", ${userNameOf('p')} AS "graderName", ${isServiceOf('p')} AS "graderIsService", g.graded_at AS "gradedAt"
  FROM answer_gradings g LEFT JOIN people p ON p.user_id = g.graded_by
  WHERE g.submission_id = $1 AND g.question_id = $2 ORDER BY g.id DESC LIMIT $3 OFFSET $4`;

/** The gradings of answers, including answers to removed questions. */
export class AnswerHistoryRepository {
  readonly #lists: ListReads;

  constructor(lists: ListReads) {
    this.#lists = lists;
  }

  /** One page, newest first. */
  page(submissionId: number, questionId: number, requested: Page): Promise<SelectedPage<AnswerHistoryEntry>> {
    const list = { name: 'history of an answer', count, page, values: [submissionId, questionId] };
    return readPageOf(this.#lists, list, requested);
  }
}
