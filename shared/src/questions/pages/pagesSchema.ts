import { z } from 'zod';
import { maxInteger } from '../../config/maxInteger.ts';
import { integer, requiredMessage } from '../../http/validation.ts';

const maxPages = 1_000;

/** The pages of answers in a request. `file_id` may be omitted if there is only one file. */
export const pagesSchema = z
  .object({
    pages: z
      .array(
        z
          .object({
            question_id: integer(1, maxInteger),
            file_id: integer(1, maxInteger).nullable().optional(),
            page: integer(1, maxInteger),
          })
          .transform(({ question_id, file_id, page }) => ({
            questionId: question_id,
            fileId: file_id ?? null,
            page,
          })),
        {
          error: (issue) =>
            issue.input === undefined ? requiredMessage('pages') : 'The pages must be a list.',
        },
      )
      .max(maxPages, { error: `The pages may not be more than ${maxPages}.` }),
  })
  .transform(({ pages }) => pages);

export type GivenPage = z.output<typeof pagesSchema>[number];
