import type { SubmissionPeriod } from '../submissions/submissionPeriod.ts';
import type { LateRule } from './item.ts';

/** The allowance of one student for an item. */
export interface Allowance {
  closesAt: Date | null;
  /** Minutes added to an attempt at a quiz. */
  extraMinutes: number;
  excused: boolean;
}

/** The times of an item, for everyone. */
export interface ItemTimes {
  opensAt: Date | null;
  closesAt: Date | null;
  /** The length of an attempt at a quiz; null if unlimited. */
  durationMinutes: number | null;
  late: LateRule | null;
}

/** The times of an item for one student. */
export interface PersonalTimes extends SubmissionPeriod {
  durationMinutes: number | null;
  /** The last moment at which work is accepted; later than `closesAt` if late work is accepted. */
  acceptedUntil: Date | null;
}

/**
 * Returns the times of an item for one student. All code that depends on a closing time or a duration uses this
 * function. An item closes at the later of its own closing time and the allowance's; an item without one never closes.
 * @param timeFactor the factor by which the student's quiz attempts are extended; 1 without an accommodation
 */
export function personalTimes(
  { opensAt, closesAt: closesForAll, durationMinutes, late }: ItemTimes,
  allowance?: Pick<Allowance, 'closesAt' | 'extraMinutes'> | null,
  timeFactor = 1,
): PersonalTimes {
  const closesAt = closesForAll && later(closesForAll, allowance?.closesAt);
  return {
    opensAt,
    closesAt,
    durationMinutes:
      durationMinutes === null
        ? null
        : attemptMinutes(durationMinutes, allowance?.extraMinutes ?? 0, timeFactor),
    acceptedUntil: closesAt && (late ? later(closesAt, new Date(late.until)) : closesAt),
  };
}

const later = (one: Date, other: Date | null | undefined): Date => (other && other > one ? other : one);

// Whole minutes, because the factor has two decimals. The duration itself may be a fraction of a minute (D40).
const attemptMinutes = (minutes: number, extra: number, factor: number): number =>
  extra === 0 && factor === 1 ? minutes : Math.ceil((minutes * Math.round(factor * 100)) / 100 + extra);
