import type { LateRule, State } from '../records/studentTypes.ts';

interface Times {
  state: State;
  /** Seconds until the state changes; null if it never does. */
  secondsUntil: number | null;
}

/**
 * Where late work is accepted, work stays open after its closing time. Until then students count down to the closing time,
 * afterwards to the last moment at which it is accepted. Both are compared with the server's clock.
 */
export function lateWindow(
  { state, secondsUntil }: Times,
  lateRule: LateRule | null,
  closesAt: Date | null,
  answeredAt: Date | undefined,
): { isLate: boolean; secondsUntil: number | null } {
  if (state !== 'open' || !lateRule || !closesAt || !answeredAt) return { isLate: false, secondsUntil };
  const untilClosing = Math.ceil((closesAt.getTime() - answeredAt.getTime()) / 1_000);
  if (untilClosing <= 0) return { isLate: true, secondsUntil };
  return { isLate: false, secondsUntil: Math.min(secondsUntil ?? untilClosing, untilClosing) };
}
