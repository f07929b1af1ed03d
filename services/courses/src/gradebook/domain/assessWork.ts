import type { LateRule } from '@gradeway/shared/items/item';
import { assessLateness } from '@gradeway/shared/items/lateness';
import { personalTimes } from '@gradeway/shared/items/personalTimes';

/** What the penalty of a student's work depends on. All of it is null while it is unknown. */
export interface Work {
  submittedAt: Date | null;
  isLateWaived: boolean | null;
  grade: number | null;
  /** Of the item, for everyone. */
  closesAt: Date | null;
  late: LateRule | null;
  /** Of the student's allowance. */
  allowedUntil: Date | null;
}

type Assessment = ReturnType<typeof assessLateness>;

/** Assesses the lateness of a student's work by the present rule. Work is not late while its times are unknown. */
export function assessWork({
  submittedAt,
  isLateWaived,
  grade,
  closesAt,
  late,
  allowedUntil,
}: Work): Assessment {
  if (!submittedAt || !late || !closesAt) return { late: null, finalGrade: grade };
  const times = { opensAt: null, closesAt, durationMinutes: null, late };
  const own = personalTimes(times, { closesAt: allowedUntil, extraMinutes: 0 });
  return assessLateness({
    submittedAt,
    closesAt: own.closesAt,
    late,
    isWaived: isLateWaived ?? false,
    grade,
  });
}
