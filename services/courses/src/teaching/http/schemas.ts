import { maxInteger } from '@gradeway/shared/config/maxInteger';
import { decimal, integer, nullable, recordId, string } from '@gradeway/shared/http/validation';
import { z } from 'zod';

const maxTextLength = 1_000;
const largestNumber = 999_999_999_999_999;

const text = string(maxTextLength).min(1);
// An id beyond the range of the column becomes 0, which no course has.
const courseId = integer(1, largestNumber)
  .transform((id) => (id > maxInteger ? 0 : id))
  .nullable()
  .optional();

/** The optional body of an assignment. */
export const instructorFields = z.object({ role: z.enum(['teacher', 'grader']).optional() });

export const accommodationFields = z
  .object({
    time_factor: decimal({ least: 1, most: 4, decimals: 2 }),
    note: nullable(string(maxTextLength)),
  })
  .transform((fields) => ({
    // 1.15 × 100 is not exactly 115.
    timePercent: Math.round(fields.time_factor * 100),
    note: fields.note ?? null,
  }));

export const commentFields = z
  .object({ text, course_id: courseId })
  .transform((fields) => ({ text: fields.text, courseId: fields.course_id ?? null }));

/** Changes to a comment. Absent properties stay unchanged; a null course makes it a comment for all courses. */
export const commentChanges = z
  .object({ text: text.optional(), course_id: courseId })
  .transform((fields) => ({
    ...(fields.text === undefined ? {} : { text: fields.text }),
    ...(fields.course_id === undefined ? {} : { courseId: fields.course_id }),
  }));

/** Query parameters of the comment bank. An empty search returns all comments. */
export const commentFilter = z.object({
  search: string(maxTextLength).default(''),
  course_id: recordId().optional(),
});
