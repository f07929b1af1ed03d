import { Temporal } from 'temporal-polyfill';
import { createLocalTime } from './localTime.ts';

/** Formats and parses times in the application's time zone. */
export interface Clock {
  /** `YYYY-MM-DD HH:mm:ss` (D1). */
  format(time: Date): string;
  /** `dd/MM/YYYY hh:mm AM|PM`, the format of `assignment_deadline`. */
  formatDeadline(time: Date): string;
  /** Parses `YYYY-MM-DDTHH:mm:ss`, optionally with `Z` or an offset (D40). Returns undefined for any other format. */
  parse(text: string): Date | undefined;
}

// Starts at the year 1000: earlier years are typing errors, and Postgres has no year 0.
const dateTime = /^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Implements D1 and D40. A local time skipped by a daylight-saving change is moved forward; if it occurs twice, the
 * earlier one is used (Temporal's `compatible`, RFC 5545 §3.3.5).
 * @param timeZone IANA name, `APP_TIMEZONE`
 */
export function createClock(timeZone: string): Clock {
  const format = createLocalTime(timeZone);

  function formatDeadline(time: Date): string {
    const [date = '', clock = ''] = format(time).split(' ');
    const [hours = '', minutes = ''] = clock.split(':');
    const hour = String(Number(hours) % 12 || 12).padStart(2, '0');
    return `${date.split('-').reverse().join('/')} ${hour}:${minutes} ${Number(hours) < 12 ? 'AM' : 'PM'}`;
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

  return { format, formatDeadline, parse };
}

/** Formats a time as `YYYY-MM-DDTHH:mm:ssZ` (RFC 3339), as used by the grader API. */
export const formatUtc = (time: Date): string => time.toISOString().replace(/\.\d{3}Z$/, 'Z');

/** Whole seconds until a time: 0 after it, null if there is no time. */
export const remainingSeconds = (until: Date | null): number | null =>
  until && Math.max(0, Math.floor((until.getTime() - Date.now()) / 1000));
