import { fieldTimeOf } from './moment.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

// A formatter takes longer to create than to use, and tables contain many times.
const formats = new Map<string, Intl.RelativeTimeFormat>();

function formatOf(language: string): Intl.RelativeTimeFormat {
  const format = formats.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  formats.set(language, format);
  return format;
}

/** The calendar day of a moment in a time zone, counted in days. */
const dayOf = (moment: number, timeZone: string): number =>
  Date.parse(fieldTimeOf(new Date(moment), timeZone).slice(0, 10)) / day;

/**
 * Formats how far a moment is from now: "in 3 hours", "yesterday", "2 months ago". From 24 hours on, calendar days of
 * the time zone count. Rounds towards now, so that nobody expects more time than is left.
 */
export function relativeTime(moment: number, now: number, language: string, timeZone: string): string {
  const format = formatOf(language);
  const distance = moment - now;
  const whole = (unit: number) => Math.trunc(distance / unit);
  if (whole(minute) === 0) return format.format(0, 'second');
  if (whole(hour) === 0) return format.format(whole(minute), 'minute');
  if (whole(day) === 0) return format.format(whole(hour), 'hour');
  const days = dayOf(moment, timeZone) - dayOf(now, timeZone);
  if (Math.abs(days) <= 60) return format.format(days, 'day');
  const months = Math.trunc(days / 30.44);
  return Math.abs(months) < 12
    ? format.format(months, 'month')
    : format.format(Math.trunc(months / 12), 'year');
}
