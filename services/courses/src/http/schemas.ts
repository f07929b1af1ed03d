import { nullable, string, title } from '@gradeway/shared/http/validation';
import { z } from 'zod';

const longestTitle = 255;
const longestDescription = 10_000;
const longestSearch = 255;

const description = nullable(string(longestDescription));

/** A new course. What is not given is not set. */
export const courseFields = z
  .object({ title: title(longestTitle), description })
  .transform((fields) => ({ title: fields.title, description: fields.description ?? null }));

/** Changes of a course. What is not given stays; null or empty clears the description. */
export const courseChanges = z
  .object({ title: title(longestTitle).optional(), description })
  .transform((fields) => ({
    ...(fields.title === undefined ? {} : { title: fields.title }),
    ...(fields.description === undefined ? {} : { description: fields.description }),
  }));

export const classFields = z.object({ title: title(longestTitle) });

export const classChanges = z
  .object({ title: title(longestTitle).optional() })
  .transform((fields) => (fields.title === undefined ? {} : { title: fields.title }));

export const enrollmentFields = z.object({ paid: z.boolean() });

/** Of the student list. An empty search is none. */
export const studentFilter = z.object({ search: string(longestSearch).default('') });

/** Of the gradebook: a file when asked for, else the list. */
export const gradebookForm = z.object({ format: z.enum(['csv']).optional() });
