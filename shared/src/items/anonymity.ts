import { AppError } from '../errors/appError.ts';
import type { GradingTables } from '../grading/gradingTables.ts';
import type { CourseRole } from '../teaching/teachingClient.ts';
import { areGradesVisible, type ItemSettings } from './item.ts';

type Masked = Pick<ItemSettings, 'anonymous' | 'release' | 'releasedAt'>;

/** Whether graders see codes instead of students. The release of the grades ends it. */
export const isAnonymous = (item: Masked): boolean => item.anonymous && !areGradesVisible(item);

/** SQL for {@link isAnonymous}. No other SQL decides it. */
export const isAnonymousItem = (alias: string): string =>
  `(${alias}.anonymous AND ${alias}.release = 'manual' AND ${alias}.released_at IS NULL)`;

/** SQL for whether the item in the parameter is anonymous, which PostgreSQL evaluates once per statement. */
export const isAnonymousById = ({ item: { table, id } }: GradingTables, parameter: string): string =>
  `EXISTS (SELECT FROM ${table} i WHERE i.${id} = ${parameter} AND ${isAnonymousItem('i')})`;

/** SQL that joins the code that replaces the student of the submission `s` as `masked.code`; null if the student is named. */
export const joinMask = ({ item: { table, id }, itemId }: GradingTables): string => `
  LEFT JOIN LATERAL (
    SELECT s.code FROM ${table} i WHERE i.${id} = s.${itemId} AND ${isAnonymousItem('i')} LIMIT 1) AS masked ON true`;

/** Replaces {@link joinMask} for readers who may see the students. */
export const joinNoMask = 'CROSS JOIN (SELECT NULL::text AS code) AS masked';

/** SQL for a student's name or of the name that replaces it, for a query with {@link joinMask}. */
export const maskedName = (name: string): string =>
  `CASE WHEN masked.code IS NULL THEN ${name} ELSE 'Student ' || masked.code END`;

/** SQL for a value that only readers who see the student may see, for a query with {@link joinMask}. */
export const unlessMasked = (value: string): string => `CASE WHEN masked.code IS NULL THEN ${value} END`;

export const anonymousItem = () => new AppError('conflict', 'Anonymous item');

/**
 * Requires that the caller may see the students of an item by name. Teachers may, without their submissions.
 * @throws AppError `conflict` for a grader of an anonymous item
 */
export function requireNames(item: { isAnonymous: boolean }, role: CourseRole): void {
  if (item.isAnonymous && role === 'grader') throw anonymousItem();
}
