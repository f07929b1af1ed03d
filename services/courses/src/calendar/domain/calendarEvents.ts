import { createHash } from 'node:crypto';
import { personalTimes } from '@gradeway/shared/items/personalTimes';
import type { Kind } from '../../gradebook/domain/projections.ts';

/** An item with the times that determine when it closes for the owner of a calendar. */
export interface CalendarItem {
  kind: Kind;
  itemId: number;
  title: string;
  courseTitle: string;
  /** When the item closes for everyone. */
  closesAt: Date;
  /** When it closes for the owner, if a teacher allows more time. */
  allowedUntil: Date | null;
}

/** An event of a calendar, without its state. */
export interface CalendarEvent {
  kind: Kind;
  itemId: number;
  summary: string;
  /** The page of the web application. */
  path: string;
  /** When the item closes for the owner. */
  closesAt: Date;
  /** A hash of all other properties, in hexadecimal. */
  digest: string;
}

/** An event as its calendar last showed it. */
export interface EventState extends Pick<CalendarEvent, 'kind' | 'itemId' | 'digest'> {
  uid: string;
  /** Increases with each change to the event. */
  sequence: number;
  lastModified: Date;
}

type Reader = 'student' | 'staff';

/** Returns the events of a calendar, by closing time. */
export const calendarEvents = (items: CalendarItem[], reader: Reader): CalendarEvent[] =>
  items
    .map((item) => toEvent(item, reader))
    .toSorted((one, other) => one.closesAt.getTime() - other.closesAt.getTime() || one.itemId - other.itemId);

function toEvent(item: CalendarItem, reader: Reader): CalendarEvent {
  const { kind, itemId } = item;
  const summary = `${onOneLine(item.title)} (${onOneLine(item.courseTitle)})`;
  const path =
    reader === 'student' ? '/my' : `/grading/${kind === 'quiz' ? 'quizzes' : 'homeworks'}/${itemId}`;
  const closesAt = ownClosingTime(item);
  const digest = createHash('sha256')
    .update(JSON.stringify([summary, path, closesAt]))
    .digest('hex');
  return { kind, itemId, summary, path, closesAt, digest };
}

function ownClosingTime({ closesAt, allowedUntil }: CalendarItem): Date {
  const times = { opensAt: null, closesAt, durationMinutes: null, late: null };
  return personalTimes(times, { closesAt: allowedUntil, extraMinutes: 0 }).closesAt ?? closesAt;
}

// Calendar programs show one line, and iCalendar forbids control characters other than escaped line breaks.
const onOneLine = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
