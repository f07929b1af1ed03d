import { isScope, maxTokenCourses, type Scope } from '@gradeway/shared/auth/scopes';
import { maxInteger } from '@gradeway/shared/config/maxInteger';
import { title } from '@gradeway/shared/http/validation';
import { withoutUndefined } from '@gradeway/shared/http/withoutUndefined';
import { z } from 'zod';

const longestName = 100;

const name = title(longestName);

const scopes = z
  .unknown()
  .refine((value) => value !== undefined && value !== null, {
    error: 'The scopes field is required.',
    abort: true,
  })
  .refine((value) => Array.isArray(value) && value.length > 0 && value.every(isScope), {
    error: 'The scopes must be a list of scopes, at least one.',
  })
  .transform((value) => [...new Set(value as Scope[])]);

const isCourseId = (id: unknown): boolean =>
  Number.isInteger(id) && (id as number) > 0 && (id as number) <= maxInteger;
const isCourseList = (value: unknown): boolean =>
  Array.isArray(value) && value.length > 0 && value.length <= maxTokenCourses && value.every(isCourseId);

const courseIds = z
  .unknown()
  .refine((value) => value === null || value === undefined || isCourseList(value), {
    error: `The course ids must be a list of 1 to ${maxTokenCourses} course ids.`,
  })
  .transform((value) =>
    Array.isArray(value) ? [...new Set(value as number[])] : value === null ? null : undefined,
  );

// RFC 3339.
const expiresAt = z.iso
  .datetime({ offset: true })
  .nullish()
  .transform((value) => (typeof value === 'string' ? new Date(value) : undefined));

/** A new service account. */
export const serviceAccountFields = z
  .object({ name, scopes, course_ids: courseIds, expires_at: expiresAt })
  .transform((fields) => ({
    name: fields.name,
    scopes: fields.scopes,
    courseIds: fields.course_ids ?? null,
    expiresAt: fields.expires_at,
  }));

/** Changes to a service account. An omitted field stays unchanged. */
export const serviceAccountChanges = z
  .object({
    name: name.optional(),
    scopes: scopes.optional(),
    course_ids: courseIds,
    is_disabled: z.boolean().optional(),
  })
  .transform((fields) =>
    withoutUndefined({
      name: fields.name,
      scopes: fields.scopes,
      courseIds: fields.course_ids,
      isDisabled: fields.is_disabled,
    }),
  );

/** Another token of a service account. */
export const serviceTokenFields = z
  .object({ name: name.optional(), expires_at: expiresAt })
  .transform((fields) => ({ name: fields.name, expiresAt: fields.expires_at }));

/** A new personal token. */
export const personalTokenFields = z
  .object({ name, scopes, expires_at: expiresAt })
  .transform((fields) => ({ name: fields.name, scopes: fields.scopes, expiresAt: fields.expires_at }));
