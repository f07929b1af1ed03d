import { z } from 'zod';
import { recordId, string, title } from '../../http/validation.ts';

const maxLength = 2_000;
const minTextLength = 10;

/** A new review in a request. */
export const newReviewSchema = z
  .object({
    question_id: recordId().nullable().optional(),
    text: string(maxLength)
      .transform((text) => text.trim())
      .refine((text) => [...text].length >= minTextLength, {
        error: `The text must be at least ${minTextLength} characters.`,
      }),
  })
  .transform(({ question_id, text }) => ({ questionId: question_id ?? null, text }));

/** The answer to a review. */
export const closedReviewSchema = z.object({ state: z.literal('closed'), answer: title(maxLength) });

/** Query parameters for the reviews of an item. */
export const reviewFilter = z.object({
  state: z
    .enum(['open', 'closed', 'all'])
    .default('all')
    .transform((state) => (state === 'all' ? undefined : state)),
});
