/** The number of seconds left at a `performance.now()` time. */
export interface Countdown {
  seconds: number;
  at: number;
}

export const secondsLeft = ({ seconds, at }: Countdown, now: number): number =>
  Math.max(0, Math.ceil(seconds - (now - at) / 1000));

const day = 86_400;
const two = (value: number) => String(value).padStart(2, '0');

/** `44:59`, `1:05:09`. */
export function clockText(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = two(seconds % 60);
  return hours === 0 ? `${minutes}:${rest}` : `${hours}:${two(minutes)}:${rest}`;
}

/** Returns the days and hours left, where a clock would be too detailed; undefined below one day. */
export function daysLeft(seconds: number): { days: number; hours: number } | undefined {
  if (seconds < day) return undefined;
  return { days: Math.floor(seconds / day), hours: Math.floor((seconds % day) / 3600) };
}

/** The minutes that screen readers announce. Announcing every second would be too much. */
const announced = [10, 5, 1];

/** Returns the minutes to announce when the time left drops from one number of seconds to another. */
export function announcement(before: number, now: number): number | undefined {
  return announced.findLast((minutes) => before > minutes * 60 && now <= minutes * 60 && now > 0);
}
