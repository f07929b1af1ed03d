const [dayMs, hourMs] = [86_400_000, 3_600_000];
// Before this, zones had offsets with seconds. After it, years have five digits.
const [earliest, latest] = [Date.UTC(1973, 0, 1), Date.UTC(9999, 11, 30)];
// More hours than a year has.
const remembered = 10_000;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/**
 * Returns a function that formats times as `YYYY-MM-DD HH:mm:ss` in a time zone. Intl takes a microsecond or two per
 * time, which would be most of the CPU time of a long list. Here it is called only for each new hour, to get the offset
 * at both ends of that hour. The date is formatted once per day.
 * @param timeZone IANA name
 */
export function createLocalTime(timeZone: string): (time: Date) => string {
  const intl = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const offsetAt = (ms: number): number => Date.parse(`${intl.format(ms).replace(' ', 'T')}Z`) - ms;

  // NaN for an hour in which the offset changes.
  const offsetWithin = remember((hour: number): number => {
    const [start, end] = [offsetAt(hour * hourMs), offsetAt((hour + 1) * hourMs)];
    return start === end ? start : Number.NaN;
  });
  const dateOf = remember((day: number): string => new Date(day * dayMs).toISOString().slice(0, 10));

  return (time) => {
    const ms = time.getTime();
    const isUsual = ms >= earliest && ms < latest;
    const local = isUsual ? ms + offsetWithin(Math.floor(ms / hourMs)) : Number.NaN;
    if (Number.isNaN(local)) return intl.format(time);
    const day = Math.floor(local / dayMs);
    const second = Math.floor((local - day * dayMs) / 1000);
    const [hours, minutes] = [Math.floor(second / 3600), Math.floor(second / 60) % 60];
    return `${dateOf(day)} ${twoDigits[hours]}:${twoDigits[minutes]}:${twoDigits[second % 60]}`;
  };
}

// Not an LRU cache: reordering its entries on each read would cost more than everything else (decision 41).
function remember<Value>(compute: (key: number) => Value): (key: number) => Value {
  const known = new Map<number, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = compute(key);
    if (known.size >= remembered) known.clear();
    known.set(key, value);
    return value;
  };
}
