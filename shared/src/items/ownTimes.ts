import { type ItemTimes, type PersonalTimes, personalTimes } from './personalTimes.ts';

/** The allowance of a student, as {@link joinAllowance} adds it to another row. */
export interface AllowedTimes {
  /** The student's own closing time; null if there is none. */
  allowedUntil: Date | null;
  extraMinutes: number;
}

/** SQL for {@link AllowedTimes}, for a query with {@link joinAllowance}. */
export const allowanceColumns = `
  own.allowed_until AS "allowedUntil", coalesce(own.extra_minutes, 0) AS "extraMinutes"`;

/** SQL that joins the allowance of a student for an item as `own`, with one lookup per row. */
export const joinAllowance = (itemId: string, studentId: string): string => `
  LEFT JOIN LATERAL (
    SELECT w.closes_at AS allowed_until, w.extra_minutes FROM allowances w
    WHERE w.item_id = ${itemId} AND w.student_id = ${studentId} AND NOT w.is_removed LIMIT 1) AS own ON true`;

type Item = Omit<ItemTimes, 'durationMinutes'> & { durationMinutes?: number | null };

/**
 * The times of an item for the student whose allowance was read together with it.
 * @param timeFactor the factor by which the student's quiz attempts are extended
 */
export const ownTimes = (
  { opensAt, closesAt, late, durationMinutes = null, allowedUntil, extraMinutes }: Item & AllowedTimes,
  timeFactor = 1,
): PersonalTimes =>
  personalTimes(
    { opensAt, closesAt, late, durationMinutes },
    { closesAt: allowedUntil, extraMinutes },
    timeFactor,
  );
