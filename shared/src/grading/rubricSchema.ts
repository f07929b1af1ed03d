import { z } from 'zod';
import { maxInteger } from '../config/maxInteger.ts';
import { flag, integer, nullable, string } from '../http/validation.ts';
import { toPoints } from './points.ts';
import { rubricModes } from './rubric.ts';
import { hasDuplicates, list, maxItems, points, pointsRange, text, totalGradeRange } from './schemas.ts';

const rubricItem = z
  .object({
    id: integer(1, maxInteger).nullable().optional(),
    points: points(pointsRange),
    text: text(1, 500),
    explanation: nullable(string(1_000)),
    group: nullable(text(1, 100)),
    key: nullable(string(1).refine((value) => [...value].length === 1, { error: 'A key is one character.' })),
  })
  .transform((item) => ({
    id: item.id ?? null,
    points: item.points,
    text: item.text,
    explanation: item.explanation ?? null,
    group: item.group ?? null,
    key: item.key ?? null,
  }));

/**
 * A rubric in a request.
 * @param fixedMaxPoints the maximum of a rating or of a question
 * @param isMaxOptional whether the maximum can be omitted
 */
export const rubricSchema = (fixedMaxPoints?: number, isMaxOptional = false) => {
  const maxPoints = points(totalGradeRange).refine(
    (value) => fixedMaxPoints === undefined || value === toPoints(fixedMaxPoints),
    { error: `The max points must be ${fixedMaxPoints}.` },
  );
  return z
    .object({
      mode: z.enum(rubricModes),
      max_points:
        isMaxOptional && fixedMaxPoints !== undefined
          ? maxPoints.default(toPoints(fixedMaxPoints))
          : maxPoints,
      min_points: points(pointsRange).default(0),
      items: list('items', rubricItem, 1, maxItems)
        .refine((items) => !hasDuplicates(items.flatMap(({ id }) => id ?? [])), {
          error: 'The ids of the items must be different.',
        })
        .refine((items) => !hasDuplicates(items.flatMap(({ key }) => key ?? [])), {
          error: 'The keys of the items must be different.',
        }),
    })
    .refine(({ min_points, max_points }) => min_points <= max_points, {
      path: ['min_points'],
      error: 'The min points may not be greater than the max points.',
    })
    .transform(({ mode, max_points, min_points, items }) => ({
      mode,
      maxPoints: max_points,
      minPoints: min_points,
      items,
    }));
};

export type GivenRubric = z.output<ReturnType<typeof rubricSchema>>;

/** Query parameters of a rubric change. */
export const rubricQuery = z
  .object({ dry_run: flag.default(false) })
  .transform(({ dry_run }) => ({ isDryRun: dry_run }));

/** Query of a rubric. */
export const exportQuery = z
  .object({ format: z.enum(['export']).optional() })
  .transform(({ format }) => ({ isExport: format === 'export' }));
