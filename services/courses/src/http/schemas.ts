import { flag, nullable, string, title } from '@gradeway/shared/http/validation';
import { z } from 'zod';

const maxTitleLength = 255;
const maxDescriptionLength = 10_000;
const maxSearchLength = 255;

const description = nullable(string(maxDescriptionLength));

export const courseFields = z
  .object({ title: title(maxTitleLength), description })
  .transform((fields) => ({ title: fields.title, description: fields.description ?? null }));

/** Changes to a course. Absent properties stay unchanged; null or an empty string clears the description. */
export const courseChanges = z
  .object({ title: title(maxTitleLength).optional(), description })
  .transform((fields) => ({
    ...(fields.title === undefined ? {} : { title: fields.title }),
    ...(fields.description === undefined ? {} : { description: fields.description }),
  }));

export const classFields = z.object({ title: title(maxTitleLength) });

export const classChanges = z
  .object({ title: title(maxTitleLength).optional() })
  .transform((fields) => (fields.title === undefined ? {} : { title: fields.title }));

export const enrollmentFields = z.object({ paid: z.boolean() });

/** Query parameters of the student list. An empty search returns all students. */
export const studentQuery = z.object({ search: string(maxSearchLength).default('') });

/** Query parameters of the gradebook. Without a format it is a JSON list. */
export const gradebookQuery = z.object({
  format: z.enum(['csv', 'grid', 'grid.csv']).optional(),
  bom: flag.default(false),
  delimiter: z.enum([',', ';']).default(','),
  decimal: z.enum(['.', ',']).default('.'),
});
