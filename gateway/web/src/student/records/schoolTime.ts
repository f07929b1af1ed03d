const timestamp = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)$/;
const deadline = /^(\d\d)\/(\d\d)\/(\d{4}) (\d\d):(\d\d) (AM|PM)$/;

/**
 * A time as the school writes it: by its own clock, without a zone. The result has the school's date and time in its UTC
 * fields; only differences of such times, and their formatted fields, mean anything.
 */
export function readSchoolTime(text: string): Date {
  const plain = timestamp.exec(text);
  if (plain) {
    const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = plain.slice(1).map(Number);
    return new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  }
  const twelve = deadline.exec(text);
  if (!twelve) return new Date(Number.NaN);
  const [day = 1, month = 1, year = 0, hour = 0, minute = 0] = twelve.slice(1, 6).map(Number);
  return new Date(Date.UTC(year, month - 1, day, (hour % 12) + (twelve[6] === 'PM' ? 12 : 0), minute));
}

/** A school's time in words. */
export function formatSchoolTime(time: Date, language: string): string {
  if (Number.isNaN(time.getTime())) return '–';
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(time);
}
