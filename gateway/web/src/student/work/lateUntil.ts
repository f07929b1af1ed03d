import type { State } from '../records/studentTypes.ts';

const minute = 60_000;

/**
 * Work that stays open beyond its closing time is accepted late until then. The response has no such time: it follows
 * from the server's clock, which counts whole seconds.
 */
export function lateUntil(
  { state, secondsUntil }: { state: State; secondsUntil: number | null },
  closesAt: Date | null,
  answeredAt: Date | undefined,
): Date | null {
  if (state !== 'open' || secondsUntil === null || closesAt === null || !answeredAt) return null;
  const end = answeredAt.getTime() + secondsUntil * 1_000;
  return end - closesAt.getTime() > minute ? new Date(Math.round(end / minute) * minute) : null;
}
