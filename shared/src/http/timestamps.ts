import { Temporal } from 'temporal-polyfill';

export interface Clock {
  /** `YYYY-MM-DD HH:mm:ss` in the application's zone. */
  format(time: Date): string;
  /** `dd/MM/YYYY hh:mm AM|PM` in the application's zone: the form of `assignment_deadline`. */
  formatDeadline(time: Date): string;
  /** Reads `YYYY-MM-DDTHH:mm:ss`, optionally with `Z` or an offset (D40); undefined for anything else. */
  parse(text: string): Date | undefined;
}

// From the year 1000: earlier ones are mistakes, and year 0 is none to Postgres.
const dateTime = /^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Writes and reads times as D1 and D40 have it. A local time that a daylight-saving change skips moves
 * forward; one that happens twice is the earlier (Temporal's `compatible`, RFC 5545 §3.3.5).
 */
export function createClock(timeZone: string): Clock {
  const seconds = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const deadline = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...{ day: '2-digit', month: '2-digit', year: 'numeric' },
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h12' },
  });

  function formatDeadline(time: Date): string {
    const part = Object.fromEntries(deadline.formatToParts(time).map(({ type, value }) => [type, value]));
    return `${part.day}/${part.month}/${part.year} ${part.hour}:${part.minute} ${part.dayPeriod?.toUpperCase()}`;
  }

  function parse(text: string): Date | undefined {
    const match = dateTime.exec(text);
    if (!match) return undefined;
    try {
      const instant = match[1]
        ? Temporal.Instant.from(text)
        : Temporal.PlainDateTime.from(text, { overflow: 'reject' })
            .toZonedDateTime(timeZone, { disambiguation: 'compatible' })
            .toInstant();
      return new Date(instant.epochMilliseconds);
    } catch {
      return undefined;
    }
  }

  return { format: (time) => seconds.format(time), formatDeadline, parse };
}

/** The whole seconds that are left until a time; 0 after it, null where there is none. */
export const remainingSeconds = (until: Date | null): number | null =>
  until && Math.max(0, Math.floor((until.getTime() - Date.now()) / 1000));
