import { LRUCache } from 'lru-cache';

const hourMs = 3_600_000;
// Before, zones had offsets with seconds; after, a year has five digits.
const [earliest, latest] = [Date.UTC(1973, 0, 1), Date.UTC(9999, 11, 30)];
// More than a year of hours.
const remembered = 10_000;

/**
 * Returns a function that formats times as `YYYY-MM-DD HH:mm:ss` in a time zone. Intl takes a microsecond or two, which is
 * most of the CPU time of a long list; here it is called only once for each hour, for the offset at both ends of the hour.
 * @param timeZone IANA name
 */
export function createLocalTime(timeZone: string): (time: Date) => string {
  const intl = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const offsets = new LRUCache<number, { ms: number | undefined }>({ max: remembered });

  const offsetAt = (ms: number): number => Date.parse(`${intl.format(ms).replace(' ', 'T')}Z`) - ms;

  // Undefined for an hour in which the offset changes.
  function offsetWithin(hour: number): number | undefined {
    const known = offsets.get(hour);
    if (known) return known.ms;
    const [start, end] = [offsetAt(hour * hourMs), offsetAt((hour + 1) * hourMs)];
    const ms = start === end ? start : undefined;
    offsets.set(hour, { ms });
    return ms;
  }

  return (time) => {
    const ms = time.getTime();
    const offset = ms >= earliest && ms < latest ? offsetWithin(Math.floor(ms / hourMs)) : undefined;
    if (offset === undefined) return intl.format(time);
    return new Date(ms + offset).toISOString().slice(0, 19).replace('T', ' ');
  };
}
