/** When the work of one student for one item is accepted. Both limits belong to it; null is none. */
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
 * The state of a period at a moment (D63). Nothing else compares times with an opening, a closing time or a deadline, so what
 * a student is shown and what is accepted cannot differ.
 */
export function periodAt({ opensAt, closesAt }: SubmissionPeriod, now: Date): PeriodState {
  const until = (change: number) => Math.ceil((change - now.getTime()) / 1_000);
  if (opensAt !== null && now < opensAt) return { state: 'upcoming', secondsUntil: until(opensAt.getTime()) };
  if (closesAt === null) return { state: 'open', secondsUntil: null };
  if (now > closesAt) return { state: 'closed', secondsUntil: null };
  // Exactly at the closing time is in time: the change is a millisecond later.
  return { state: 'open', secondsUntil: until(closesAt.getTime() + 1) };
}
