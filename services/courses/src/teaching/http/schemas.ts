import { maxInteger } from '@gradeway/shared/config/maxInteger';
import { integer, recordId, string } from '@gradeway/shared/http/validation';
import { z } from 'zod';

const maxTextLength = 1_000;
const largestNumber = 999_999_999_999_999;

const text = string(maxTextLength).min(1);
// An id beyond the range of the column becomes 0, which no course has.
const courseId = integer(1, largestNumber)
  .transform((id) => (id > maxInteger ? 0 : id))
  .nullable()
  .optional();

export const commentFields = z
  .object({ text, course_id: courseId })
  .transform((fields) => ({ text: fields.text, courseId: fields.course_id ?? null }));

/** Changes of a comment. Absent properties stay unchanged; null makes it one of all courses. */
export const commentChanges = z
  .object({ text: text.optional(), course_id: courseId })
  .transform((fields) => ({
    ...(fields.text === undefined ? {} : { text: fields.text }),
    ...(fields.course_id === undefined ? {} : { courseId: fields.course_id }),
  }));

/** Query of the comment bank. An empty search returns all comments; a longer one than any text is an error. */
export const commentFilter = z.object({
  search: string(maxTextLength).default(''),
  course_id: recordId().optional(),
});
