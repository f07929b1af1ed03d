import { momentOf } from '../../shared/time/moment.ts';
import type { Homework, Quiz } from '../records/studentTypes.ts';

/** How long after the end of their time students may still choose the pages of their answers. */
const graceMs = 15 * 60_000;
const minuteMs = 60_000;

/**
 * Whether to let a student choose the pages of the answers. The service decides; while the time of its last response
 * is unknown, this ends with the student's time.
 * @param now the server's time in milliseconds
 */
export function isPagesWindowOpen(item: Quiz | Homework, now: number | undefined): boolean {
  if (item.state === 'open') return true;
  const end = endOf(item);
  return item.state === 'closed' && end !== null && now !== undefined && now < end + graceMs;
}

/** The earlier of the closing time and the end of the attempt. */
function endOf(item: Quiz | Homework): number | null {
  const closes = 'closes_at' in item ? item.closes_at : item.assignment_deadline;
  const ends = closes === null ? [] : [momentOf(closes).getTime()];
  if ('started_at' in item && item.started_at !== null && item.duration_minutes !== null)
    ends.push(momentOf(item.started_at).getTime() + item.duration_minutes * minuteMs);
  return ends.length === 0 ? null : Math.min(...ends);
}
