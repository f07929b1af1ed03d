import ical, { ICalEventTransparency } from 'ical-generator';
import type { VersionedEvent } from '../domain/readCalendar.ts';

// An event must have a duration (RFC 5545 §3.6.1), and programs hide or stretch very short events.
const eventMs = 30 * 60_000;
const refreshSeconds = 300;

/** Formats events as an iCalendar object (RFC 5545). The same events always produce the same text. */
export function toICalendar(events: VersionedEvent[], origin: string): string {
  const calendar = ical({
    name: 'Gradeway',
    prodId: { company: 'Gradeway', product: 'Gradeway', language: 'EN' },
    ttl: refreshSeconds,
  });
  for (const { uid, sequence, lastModified, summary, closesAt, path } of events)
    calendar.createEvent({
      id: uid,
      sequence,
      // Without a METHOD, DTSTAMP is the time of the last change too (RFC 5545 §3.8.7.2).
      stamp: lastModified,
      lastModified,
      start: new Date(closesAt.getTime() - eventMs),
      end: closesAt,
      summary,
      url: origin + path,
      // Some programs do not show the URL.
      description: `Closes at the end of this event. ${origin}${path}`,
      // A closing time does not make the reader busy.
      transparency: ICalEventTransparency.TRANSPARENT,
    });
  // The library omits the last line break.
  return `${calendar.toString()}\r\n`;
}
