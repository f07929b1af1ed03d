/** The period in which one student's work for one item is accepted; both limits are inclusive. Null means no limit. */
export interface SubmissionPeriod {
  opensAt: Date | null;
  closesAt: Date | null;
}

interface PeriodState {
  state: 'upcoming' | 'open' | 'closed';
  /** Whole seconds after which `state` has changed, rounded up; null if it never changes. */
  secondsUntil: number | null;
}

/**
 * Returns the state of a period at a moment (D63). No other function compares times with an opening time, a closing time or a
 * deadline, so work shown to a student as open is accepted.
 */
export function periodAt({ opensAt, closesAt }: SubmissionPeriod, now: Date): PeriodState {
  const until = (change: number) => Math.ceil((change - now.getTime()) / 1_000);
  if (opensAt !== null && now < opensAt) return { state: 'upcoming', secondsUntil: until(opensAt.getTime()) };
  if (closesAt === null) return { state: 'open', secondsUntil: null };
  if (now > closesAt) return { state: 'closed', secondsUntil: null };
  // An upload exactly at the closing time is on time, so the state changes a millisecond later.
  return { state: 'open', secondsUntil: until(closesAt.getTime() + 1) };
}
