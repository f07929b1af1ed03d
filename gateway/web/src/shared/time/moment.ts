import { schoolTimeZone } from './schoolTimeZone.ts';

const plain = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?$/;
const deadline = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d) (AM|PM)$/;
const zoned = /\dT.*(Z|[+-]\d\d:\d\d)$/;
const day = 86_400_000;

/**
 * Parses a time in the format of the API or of a form field: in the school's time zone, or with `Z` or an offset. A
 * time that a clock change repeats is read as the earlier one, and a skipped time moves forward, as in the services
 * (D40). A library for this would take 6 kB of the student page's budget.
 */
export function momentOf(text: string, timeZone = schoolTimeZone): Date {
  if (zoned.test(text)) return new Date(text);
  const wall = wallTimeOf(text);
  // A time zone changes its offset at most once in two days.
  const [before, after] = [offsetAt(wall - day, timeZone), offsetAt(wall + day, timeZone)];
  const existing = [before, after].filter((offset) => offsetAt(wall - offset, timeZone) === offset);
  return new Date(wall - (existing.length > 0 ? Math.max(...existing) : before));
}

/** Formats a moment as the value of a time field: in the school's time zone, with minute precision. */
export const fieldTimeOf = (moment: Date, timeZone = schoolTimeZone): string =>
  new Date(moment.getTime() + offsetAt(moment.getTime(), timeZone)).toISOString().slice(0, 16);

/** Converts the value of a time field to UTC. */
export const utcTimeOf = (fieldTime: string, timeZone = schoolTimeZone): string =>
  momentOf(fieldTime, timeZone)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');

/** Parses the text as if it were UTC; NaN if it is invalid. */
function wallTimeOf(text: string): number {
  const [, year, month, date, hour, minute, second = 0] = plain.exec(text) ?? fromDeadline(text);
  return Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(date),
    Number(hour),
    Number(minute),
    Number(second),
  );
}

function fromDeadline(text: string): unknown[] {
  const [, date, month, year, hour, minute, half] = deadline.exec(text) ?? [];
  return [text, year, month, date, (Number(hour) % 12) + (half === 'PM' ? 12 : 0), minute];
}

const formats = new Map<string, Intl.DateTimeFormat>();

function wallFormat(timeZone: string): Intl.DateTimeFormat {
  const number = '2-digit' as const;
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn-hc-h23', {
      timeZone,
      year: 'numeric',
      month: number,
      day: number,
      hour: number,
      minute: number,
      second: number,
    });
  formats.set(timeZone, format);
  return format;
}

/** Returns the UTC offset of a time zone at a moment, in milliseconds. */
function offsetAt(moment: number, timeZone: string): number {
  if (Number.isNaN(moment)) return 0;
  const second = Math.floor(moment / 1000) * 1000;
  const parts = wallFormat(timeZone).formatToParts(second);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const wall = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return wall - second;
}
