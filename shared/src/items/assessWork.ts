import type { LateRule } from './item.ts';
import { assessLateness } from './lateness.ts';
import { personalTimes } from './personalTimes.ts';

/** A student's work with the values that determine its lateness. The times are null if they are unknown. */
export interface Work {
  submittedAt: Date | null;
  /** Whether a teacher has waived the penalty, or handed in for the student. */
  isLateWaived: boolean | null;
  grade: number | null;
  /** The item's closing time for everyone. */
  closesAt: Date | null;
  late: LateRule | null;
  /** The closing time in the student's allowance. */
  allowedUntil: Date | null;
}

/**
 * Assesses the lateness of a student's work under the current rule and allowance. Work without known times is not late.
 */
export function assessWork({
  submittedAt,
  isLateWaived,
  grade,
  closesAt,
  late,
  allowedUntil,
}: Work): ReturnType<typeof assessLateness> {
  if (!submittedAt || !late || !closesAt) return { late: null, finalGrade: grade };
  const times = { opensAt: null, closesAt, durationMinutes: null, late };
  const own = personalTimes(times, { closesAt: allowedUntil, extraMinutes: 0 });
  return assessLateness({
    ...{ submittedAt, closesAt: own.closesAt, late, grade },
    isWaived: isLateWaived ?? false,
  });
}
