import type { SubmissionTimes } from '../events/items.ts';
import type { GradingTables } from '../grading/gradingTables.ts';
import { assessWork } from './assessWork.ts';
import { areGradesVisible, type ItemSettings, type LateRule } from './item.ts';
import { joinAllowance } from './ownTimes.ts';

/** When the work of a submission was received, and whether it can be late. */
export interface WorkState {
  submittedAt: Date;
  /** The member of staff who handed in for the student; null if the student did. */
  submittedBy: number | null;
  /** Whether a teacher has waived the penalty for late work. */
  lateWaived: boolean;
  /** Increments on each upload and each change of `lateWaived`. */
  stateRevision: number;
}

// Work that staff hand in is never late.
const isWaived = ({ submittedBy, lateWaived }: Pick<WorkState, 'submittedBy' | 'lateWaived'>): boolean =>
  lateWaived || submittedBy !== null;

/** The same data as fields of an event. */
export const submissionTimes = (work: WorkState): SubmissionTimes => ({
  submitted_at: work.submittedAt.toISOString(),
  late_waived: isWaived(work),
  state_revision: work.stateRevision,
});

/** A submission with the values that determine whether it is late. */
export interface TimedWork extends Pick<WorkState, 'submittedAt' | 'submittedBy' | 'lateWaived'> {
  /** When the item closes for everyone. */
  itemClosesAt: Date | null;
  lateRule: LateRule | null;
  /** When it closes for the student, if a teacher allows more time. */
  allowedUntil: Date | null;
}

/** SQL for the columns of {@link TimedWork} other than `submittedAt`, for a query with {@link joinTimes}. */
export const timeColumns = `
  item.closes_at AS "itemClosesAt", item.late AS "lateRule", own.allowed_until AS "allowedUntil",
  s.late_waived AS "lateWaived", s.submitted_by AS "submittedBy"`;

/** Whether the student sees the grade of a submission. */
export type ShownGrade = Pick<ItemSettings, 'release' | 'releasedAt'>;

/** SQL for {@link ShownGrade}, for a query with {@link joinTimes}. */
export const releaseColumns = 'item.release, item.released_at AS "releasedAt"';

/** SQL that joins the item of the submission `s`, removed or not, as `item`, and the student's allowance as `own`. */
export const joinTimes = ({ item: { table, id, closesAt }, itemId }: GradingTables): string => `
  LEFT JOIN LATERAL (
    SELECT ${closesAt} AS closes_at, late, release, released_at, anonymous, created_at, revision
    FROM ${table} WHERE ${id} = s.${itemId} LIMIT 1) AS item ON true
  ${joinAllowance(`s.${itemId}`, 's.student_id')}`;

/**
 * The lateness of a submission, computed from the current rule and allowance, so that a change to either affects all
 * work.
 * @param grade null for a grade that the reader does not see
 */
export function serializeLateness(work: TimedWork, grade: number | null) {
  const { itemClosesAt: closesAt, lateRule, submittedAt, allowedUntil } = work;
  const isLateWaived = isWaived(work);
  const { late, finalGrade } = assessWork({
    ...{ submittedAt, closesAt, late: lateRule, allowedUntil, isLateWaived, grade },
  });
  return {
    late: late && { minutes: late.minutes, penalty_percent: late.penaltyPercent, points: late.points },
    final_grade: finalGrade,
  };
}

/** The same for the student: the points and the final grade are absent while the grade is hidden. */
export const serializeOwnLateness = (work: TimedWork & ShownGrade, grade: number | null) =>
  serializeLateness(work, areGradesVisible(work) ? grade : null);
