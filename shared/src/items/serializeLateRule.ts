import { formatUtc } from '../http/timestamps.ts';
import type { LateRule } from './item.ts';
import type { PersonalTimes } from './personalTimes.ts';

export const serializeLateRule = ({ until, graceMinutes, penaltyPercent, per, floorPercent }: LateRule) => ({
  until: formatUtc(new Date(until)),
  grace_minutes: graceMinutes,
  penalty_percent: penaltyPercent,
  per,
  floor_percent: floorPercent,
});

/** The same for a student; null if no late work is accepted after the student's own closing time. */
export function serializeOwnLateRule(late: LateRule | null, { closesAt, acceptedUntil }: PersonalTimes) {
  if (!late || !closesAt || !acceptedUntil || acceptedUntil <= closesAt) return null;
  return serializeLateRule({ ...late, until: acceptedUntil.toISOString() });
}
