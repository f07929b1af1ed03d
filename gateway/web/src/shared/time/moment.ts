import { schoolTimeZone } from './schoolTimeZone.ts';

const plain = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d)(?::(\d\d))?$/;
const deadline = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d) (AM|PM)$/;
const zoned = /\dT.*(Z|[+-]\d\d:\d\d)$/;
const day = 86_400_000;

/**
 * The moment of a time as the interface or a field writes it: by the school's clock, or with `Z` or an offset. Of a time that a
 * clock change repeats it is the earlier, and one that is skipped moves forward, as the services read them (D40). A library for
 * this would take 6 kB of the budget of the student's page.
 */
export function momentOf(text: string, timeZone = schoolTimeZone): Date {
  if (zoned.test(text)) return new Date(text);
  const wall = wallTimeOf(text);
  // A clock change is at most once in two days.
  const [before, after] = [offsetAt(wall - day, timeZone), offsetAt(wall + day, timeZone)];
  const existing = [before, after].filter((offset) => offsetAt(wall - offset, timeZone) === offset);
  return new Date(wall - (existing.length > 0 ? Math.max(...existing) : before));
}

/** What a field for a time shows of a moment: the school's clock, to the minute. */
export const fieldTimeOf = (moment: Date, timeZone = schoolTimeZone): string =>
  new Date(moment.getTime() + offsetAt(moment.getTime(), timeZone)).toISOString().slice(0, 16);

/** The moment of a field for a time, in UTC. */
export const utcTimeOf = (fieldTime: string, timeZone = schoolTimeZone): string =>
  momentOf(fieldTime, timeZone)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z');

/** What the text says, as if it were UTC; NaN if it is no time. */
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

/** How far the clock of a zone is ahead of UTC at a moment, in milliseconds. */
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
