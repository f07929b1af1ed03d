import type { Clock } from '@gradeway/shared/http/timestamps';

/** When digests are sent. */
export interface DigestTime {
  /** `17:00`, in the school's time zone. */
  at: string;
  clock: Pick<Clock, 'format' | 'parse'>;
}

/** The next digest after a given time: its local date, which identifies it, and its time. */
export function nextDigest({ at, clock }: DigestTime, now: Date): { date: string; time: Date } {
  const today = clock.format(now).slice(0, 10);
  for (const date of [today, dayAfter(today)]) {
    const time = clock.parse(`${date}T${at}:00`);
    if (time && time > now) return { date, time };
  }
  throw new Error(`there is no ${at} after ${now.toISOString()}`);
}

const dayAfter = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
