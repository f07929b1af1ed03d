import { inTransaction } from '@gradeway/shared/database/connection';
import { findErased, personErased } from '@gradeway/shared/personalData/erasedPeople';
import type { CalendarDependencies } from '../dependencies.ts';
import { hashOfToken, newCalendarToken } from './calendarToken.ts';

type Dependencies = Pick<CalendarDependencies, 'sequelize' | 'calendars' | 'audit'>;

/** Gives a person a calendar with a new token, which is returned only here. An earlier token no longer works. */
export async function createCalendar(
  { sequelize, calendars, audit }: Dependencies,
  ownerId: number,
): Promise<string> {
  const token = newCalendarToken();
  await inTransaction(sequelize, async (transaction) => {
    if (await findErased(sequelize, ownerId, transaction)) throw personErased();
    await calendars.put(ownerId, hashOfToken(token), transaction);
    await audit.record({ action: 'calendar.created', object: { type: 'user', id: ownerId } }, transaction);
  });
  return token;
}

/** Ends a person's calendar, if they have one. */
export async function deleteCalendar(
  { sequelize, calendars, audit }: Dependencies,
  ownerId: number,
): Promise<void> {
  await inTransaction(sequelize, async (transaction) => {
    if (!(await calendars.delete(ownerId, transaction))) return;
    await audit.record({ action: 'calendar.deleted', object: { type: 'user', id: ownerId } }, transaction);
  });
}
