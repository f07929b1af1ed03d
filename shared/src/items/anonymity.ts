import { AppError } from '../errors/appError.ts';
import type { GradingTables } from '../grading/gradingTables.ts';
import type { CourseRole } from '../teaching/teachingClient.ts';
import { areGradesVisible, type ItemSettings } from './item.ts';

type Masked = Pick<ItemSettings, 'anonymous' | 'release' | 'releasedAt'>;

/** Whether graders see codes instead of students. Releasing the grades ends anonymity. */
export const isAnonymous = (item: Masked): boolean => item.anonymous && !areGradesVisible(item);

/** SQL for {@link isAnonymous}. No other SQL decides it. */
export const isAnonymousItem = (alias: string): string =>
  `(${alias}.anonymous AND ${alias}.release = 'manual' AND ${alias}.released_at IS NULL)`;

/** SQL for whether the item in the parameter is anonymous, which PostgreSQL evaluates once per statement. */
export const isAnonymousById = ({ item: { table, id } }: GradingTables, parameter: string): string =>
  `EXISTS (SELECT FROM ${table} i WHERE i.${id} = ${parameter} AND ${isAnonymousItem('i')})`;

/** SQL that shows the students of submissions `s`, for a query that has joined the item as `item`. */
export interface Mask {
  /** The code that replaces the student; null if the student is named. */
  code: string;
  /** A student's name, or the name that replaces it. */
  name(name: string): string;
  /** A value that only readers who see the student may see. */
  unlessMasked(value: string): string;
}

const masked = isAnonymousItem('item');

/** Shows codes instead of the students of anonymous items. */
export const anonymousMask: Mask = {
  code: `CASE WHEN ${masked} THEN s.code END`,
  name: (name) => `CASE WHEN ${masked} THEN 'Student ' || s.code ELSE ${name} END`,
  unlessMasked: (value) => `CASE WHEN ${masked} THEN NULL ELSE ${value} END`,
};

/** Shows every student, for readers who may see them all. */
export const noMask: Mask = { code: 'NULL::text', name: (name) => name, unlessMasked: (value) => value };

export const anonymousItem = () => new AppError('conflict', 'Anonymous item', { reason: 'anonymous_item' });

/**
 * Requires that the caller may see the students of an item by name. Teachers may see them, but without their
 * submissions.
 * @throws AppError `conflict` for a grader of an anonymous item
 */
export function requireNames(item: { isAnonymous: boolean }, role: CourseRole): void {
  if (item.isAnonymous && role === 'grader') throw anonymousItem();
}
