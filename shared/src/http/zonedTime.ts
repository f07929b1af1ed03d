import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';
import { fieldName } from './validation.ts';

// Starts at the year 1000: earlier years are typing errors, and Postgres has no year 0.
const rfc3339 = /^[1-9]\d{3}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/i;

/** A time in RFC 3339, with `Z` or an offset. Fractions of a second are dropped, as in responses. */
export const zonedTime = () =>
  z
    .string()
    .transform(parse)
    .refine((time) => time !== undefined, {
      error: (issue) =>
        `The ${fieldName(issue.path)} must be a time with its zone, such as 2026-11-28T10:00:00Z.`,
    })
    .transform((time) => time as Date);

function parse(text: string): Date | undefined {
  if (!rfc3339.test(text)) return undefined;
  try {
    return new Date(Math.floor(Temporal.Instant.from(text).epochMilliseconds / 1_000) * 1_000);
  } catch {
    return undefined;
  }
}
