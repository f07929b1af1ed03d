import type { Sequelize, Transaction } from 'sequelize';
import { maxInteger } from '../config/maxInteger.ts';
import { query } from '../database/query.ts';
import { unauthenticated } from '../errors/appError.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import { personOf, withoutPersonalData } from './personalEvents.ts';

export interface ErasedPerson {
  keepsGrades: boolean;
}

/** SQL for the lock that `findErased` takes, to combine it with other expressions. */
export const lockShared = (userId: string): string =>
  `pg_advisory_xact_lock_shared(hashtext('erased people'), ${userId})`;

/** SQL for whether a person is erased, in a statement after the one that took the lock. */
export const isErased = (userId: string): string =>
  `EXISTS (SELECT FROM erased_people WHERE user_id = ${userId})`;

const takeLockShared = `SELECT ${lockShared('$1')}`;
const takeLocksShared = `SELECT ${lockShared('id')} FROM unnest($1::int[]) AS people (id)`;
const lock = "SELECT pg_advisory_xact_lock(hashtext('erased people'), $1)";
const find = 'SELECT keeps_grades AS "keepsGrades" FROM erased_people WHERE user_id = $1';
const findAll = 'SELECT user_id AS "userId" FROM erased_people WHERE user_id = ANY($1)';
const findAllWithGrades = `
  SELECT user_id AS "userId" FROM erased_people WHERE user_id = ANY($1) AND NOT keeps_grades`;
const insert = `
  INSERT INTO erased_people (user_id, keeps_grades) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET keeps_grades = erased_people.keeps_grades AND excluded.keeps_grades`;
const recent = `SELECT user_id AS "userId" FROM erased_people WHERE erased_at > now() - interval '30 days'`;

/**
 * Marks a person as erased. When it returns, every transaction that called {@link findErased} earlier has ended, and
 * every later call finds the mark. No transaction can therefore add data about the person unnoticed by the erasure.
 */
export async function markErased(sequelize: Sequelize, userId: number, keepsGrades: boolean): Promise<void> {
  await sequelize.transaction(async (transaction) => {
    await query(sequelize, { sql: lock, values: [userId], transaction });
    await query(sequelize, { sql: insert, values: [userId, keepsGrades], transaction });
  });
}

/**
 * Returns how a person was erased, if they were, for a transaction that writes data about them. An erasure that begins
 * afterwards waits for the transaction to end.
 */
export async function findErased(
  sequelize: Sequelize,
  userId: number,
  transaction: Transaction,
): Promise<ErasedPerson | undefined> {
  // Two statements, because a statement that waits for a lock still reads the state from before the wait.
  await query(sequelize, { sql: takeLockShared, values: [userId], transaction });
  const [row] = await query<ErasedPerson>(sequelize, { sql: find, values: [userId], transaction });
  return row;
}

/** Returns which of several people are erased, under the locks of {@link findErased}. */
export const findErasedAmong = (
  sequelize: Sequelize,
  userIds: number[],
  transaction: Transaction,
): Promise<Set<number>> => lockAndFind(sequelize, findAll, userIds, transaction);

/** Returns the people erased together with their grades, under the locks of {@link findErased}. */
export const findErasedWithGrades = (
  sequelize: Sequelize,
  userIds: number[],
  transaction: Transaction,
): Promise<Set<number>> => lockAndFind(sequelize, findAllWithGrades, userIds, transaction);

async function lockAndFind(
  sequelize: Sequelize,
  sql: string,
  userIds: number[],
  transaction: Transaction,
): Promise<Set<number>> {
  // Every transaction takes the locks in the same order, so that none deadlock.
  const values = [userIds.toSorted((one, other) => one - other)];
  await query(sequelize, { sql: takeLocksShared, values, transaction });
  const rows = await query<{ userId: number }>(sequelize, { sql, values, transaction });
  return new Set(rows.map(({ userId }) => userId));
}

/** Returns the people erased in the last 30 days. No broker delivers older messages. */
export async function recentlyErased(sequelize: Sequelize): Promise<Set<number>> {
  const rows = await query<{ userId: number }>(sequelize, { sql: recent });
  return new Set(rows.map(({ userId }) => userId));
}

/**
 * The error for writing data about an erased person, the same as for any session of a deleted account. A request that
 * began before the erasure can get this far.
 */
export const personErased = () => unauthenticated('the person was erased');

// The maximum revision, which neither an event nor a response of auth replaces.
const forgetName = `
  INSERT INTO people (user_id, first_name, last_name, email, mobile, is_deleted, revision)
  VALUES ($1, '', '', NULL, '', true, ${maxInteger})
  ON CONFLICT (user_id) DO UPDATE SET
    first_name = '', last_name = '', email = NULL, mobile = '', is_deleted = true, revision = ${maxInteger}`;

/** Permanently deletes a person's projected name, address and mobile number. */
export async function eraseName(
  sequelize: Sequelize,
  userId: number,
  transaction: Transaction,
): Promise<void> {
  await query(sequelize, { sql: forgetName, values: [userId], transaction });
}

/** Returns the events without the personal data of erased people: they may have been in flight during the erasure. */
export async function withoutErasedPeople(
  sequelize: Sequelize,
  events: CloudEvent[],
  transaction: Transaction,
): Promise<CloudEvent[]> {
  const people = new Set(events.flatMap((event) => personOf(event) ?? []));
  if (people.size === 0) return events;
  const erased: Set<number | undefined> = await findErasedAmong(sequelize, [...people], transaction);
  return events.map((event) => (erased.has(personOf(event)) ? withoutPersonalData(event) : event));
}
