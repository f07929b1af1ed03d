import { notFound } from '@gradeway/shared/errors/appError';
import type { UserState } from '@gradeway/shared/events/catalog';
import type { CalendarDependencies } from '../dependencies.ts';
import { type CalendarEvent, calendarEvents, type EventState } from './calendarEvents.ts';
import { hashOfToken } from './calendarToken.ts';

type Dependencies = Pick<CalendarDependencies, 'calendars' | 'calendarItems' | 'auth'>;

/** An event with its identity and version. */
export type VersionedEvent = CalendarEvent & Pick<EventState, 'uid' | 'sequence' | 'lastModified'>;

/**
 * Returns the events of the calendar with this token, for the current role of its owner.
 * @throws AppError `not_found` if the token has ended, or the owner was deleted or blocked
 */
export async function readCalendar(dependencies: Dependencies, token: string): Promise<VersionedEvent[]> {
  const { calendars, auth } = dependencies;
  const ownerId = await calendars.findOwner(hashOfToken(token));
  const owner = ownerId === undefined ? undefined : await auth.findUser(ownerId);
  if (!owner || owner.is_blocked) throw notFound();
  const events = await eventsOf(dependencies, owner);
  return addVersions(calendars, owner.user_id, events);
}

async function eventsOf(
  { calendarItems }: Pick<Dependencies, 'calendarItems'>,
  { user_id: ownerId, role }: UserState,
): Promise<CalendarEvent[]> {
  switch (role) {
    case 'user':
      return calendarEvents(await calendarItems.ofStudent(ownerId), 'student');
    case 'instructor':
      return calendarEvents(await calendarItems.ofInstructor(ownerId), 'staff');
    case 'admin':
      return calendarEvents(await calendarItems.ofSchool(), 'staff');
    default:
      throw notFound();
  }
}

async function addVersions(
  calendars: Dependencies['calendars'],
  ownerId: number,
  events: CalendarEvent[],
): Promise<VersionedEvent[]> {
  let states = await statesByItem(calendars, ownerId);
  const changed = events.filter((event) => states.get(keyOf(event))?.digest !== event.digest);
  if (changed.length > 0) {
    await calendars.save(ownerId, changed);
    states = await statesByItem(calendars, ownerId);
  }
  return events.map((event) => {
    const state = states.get(keyOf(event));
    // Deleted by another request in the meantime.
    if (!state) throw notFound();
    const { uid, sequence, lastModified } = state;
    return { ...event, uid, sequence, lastModified };
  });
}

const statesByItem = async (calendars: Dependencies['calendars'], ownerId: number) =>
  new Map((await calendars.states(ownerId)).map((state) => [keyOf(state), state]));

const keyOf = ({ kind, itemId }: Pick<CalendarEvent, 'kind' | 'itemId'>): string => `${kind} ${itemId}`;
