import type { LateRule } from './item.ts';

/** How late work is, and the deduction from its grade. */
export interface Lateness {
  /** Minutes after the student's own closing time, rounded up. */
  minutes: number;
  /** The sum of the penalties, at most 100, before the floor applies. */
  penaltyPercent: number;
  /** The points deducted from the grade; null until it is graded. */
  points: number | null;
}

interface Work {
  submittedAt: Date;
  /** When the item closed for this student; null if it never closes. */
  closesAt: Date | null;
  late: LateRule | null;
  /** Whether a teacher has waived the penalty, or handed in for the student. */
  isWaived: boolean;
  grade: number | null;
}

interface Assessment {
  /** Null for work that is not late. */
  late: Lateness | null;
  /** The grade minus the penalty; null until it is graded. */
  finalGrade: number | null;
}

const minuteMs = 60_000;
const periodMs = { once: Number.POSITIVE_INFINITY, hour: 60 * minuteMs, day: 24 * 60 * minuteMs };

/**
 * Assesses work under the current rule, by its receipt time. The grade that graders gave never changes. Days are
 * periods of 24 hours, so a daylight-saving change adds no penalty.
 */
export function assessLateness({ submittedAt, closesAt, late, isWaived, grade }: Work): Assessment {
  const notLate = { late: null, finalGrade: grade };
  if (!late || !closesAt || isWaived) return notLate;
  const lateMs = submittedAt.getTime() - closesAt.getTime();
  if (lateMs <= late.graceMinutes * minuteMs) return notLate;
  const periods = Math.max(1, Math.ceil(lateMs / periodMs[late.per]));
  const penalty = Math.min(100_00, hundredths(late.penaltyPercent) * periods);
  const minutes = Math.ceil(lateMs / minuteMs);
  if (grade === null)
    return { late: { minutes, penaltyPercent: penalty / 100, points: null }, finalGrade: null };
  const units = Math.round(grade * 10_000);
  const remaining = Math.max(partOf(units, 100_00 - penalty), partOf(units, hundredths(late.floorPercent)));
  return {
    late: { minutes, penaltyPercent: penalty / 100, points: (units - remaining) / 10_000 },
    finalGrade: remaining / 10_000,
  };
}

const hundredths = (percent: number): number => Math.round(percent * 100);

// Grades are whole multiples of 0.0001 below 10^6, so every product is an exact integer. Rounds half up.
const partOf = (units: number, hundredthsOfPercent: number): number =>
  Math.floor((units * hundredthsOfPercent + 50_00) / 100_00);
