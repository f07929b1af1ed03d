import { z } from 'zod';
import { maxInteger } from '../../config/maxInteger.ts';
import { toPoints } from '../../grading/points.ts';
import { hasDuplicates, list, points, pointsLimit, text, totalGradeRange } from '../../grading/schemas.ts';
import { integer, nullable, string } from '../../http/validation.ts';
import { totalPoints } from '../question.ts';

const maxQuestions = 100;
const coordinate = z.number().min(-1_000_000).max(1_000_000);
const extent = z.number().min(0).max(1_000_000);

const region = z.object({
  page: integer(1, maxInteger),
  rect: z.tuple([coordinate, coordinate, extent, extent]),
});

const question = z
  .object({
    id: integer(1, maxInteger).nullable().optional(),
    label: text(1, 20),
    title: nullable(string(200)),
    max_points: points(totalGradeRange),
    region: region.nullable().optional(),
  })
  .transform(({ id, label, title, max_points, region }) => ({
    ...{ id: id ?? null, label, title: title ?? null, maxPoints: max_points, region: region ?? null },
  }));

/** An outline in a request. A question without an id is new. */
export const outlineSchema = z.object({
  questions: list('questions', question, 0, maxQuestions)
    .refine((questions) => !hasDuplicates(questions.flatMap(({ id }) => id ?? [])), {
      error: 'The ids of the questions must be different.',
    })
    .refine((questions) => !hasDuplicates(questions.map(({ label }) => label)), {
      error: 'The labels of the questions must be different.',
    })
    // Invalid points have no total, and are reported by a separate message.
    .refine((questions) => !(totalPoints(questions) >= toPoints(pointsLimit)), {
      error: `The total points must be less than ${pointsLimit}.`,
    }),
});

export type GivenOutline = z.output<typeof outlineSchema>;
