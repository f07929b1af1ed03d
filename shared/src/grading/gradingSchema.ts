import { z } from 'zod';
import { maxInteger } from '../config/maxInteger.ts';
import { integer, nullable, requiredMessage, string } from '../http/validation.ts';
import { annotationsSchema } from './annotationSchema.ts';
import { hasDuplicates, maxItems, points, pointsLimit, pointsRange } from './schemas.ts';

/** In code points. */
export const maxCommentLength = 1_000;

const selection = z
  .array(integer(1, maxInteger), { error: 'The selection must be a list.' })
  .max(maxItems, { error: `The selection may not be more than ${maxItems}.` })
  .refine((ids) => !hasDuplicates(ids), { error: 'The ids of the selection must be different.' });

const adjustmentRange = { least: -pointsLimit, most: pointsLimit, decimals: 4 };

/** The fields of every grading in a request. */
const commonFields = {
  comment: nullable(string(maxCommentLength)),
  selection: selection.optional(),
  rubric_revision: integer(1, maxInteger).optional(),
  adjustment: points(adjustmentRange).optional(),
};

type CommonFields = Partial<Record<'selection' | 'rubric_revision' | 'adjustment', unknown>>;
type Refinement<Given> = (given: Given, context: z.RefinementCtx<Given>) => void;

const wrong = (context: z.RefinementCtx, path: string, message: string) =>
  context.addIssue({ code: 'custom', path: [path], message });

/** @param direct the field of a grading without the rubric, with its name in messages */
const refineSelection =
  <Given extends CommonFields>(direct: keyof Given, name: string): Refinement<Given> =>
  (given, context) => {
    if (given[direct] !== undefined && given.selection !== undefined)
      wrong(context, 'selection', `The selection may not be given together with ${name}.`);
    if (given.selection !== undefined && given.rubric_revision === undefined)
      wrong(context, 'rubric_revision', requiredMessage('rubric revision'));
    if (given.selection === undefined && given.adjustment !== undefined)
      wrong(context, 'adjustment', 'The adjustment needs a selection.');
  };

interface GradeFields {
  /** Points, or a rating. */
  grade: z.ZodType<number>;
  /** The total grade, unless it is fixed. */
  totalGrade?: z.ZodType<number>;
}

const ignored: z.ZodType<number | undefined> = z.unknown().transform(() => undefined);

/** A grading in a request: a grade, a selection of the rubric, or neither; with a comment and annotations. */
export const gradingSchema = ({ grade, totalGrade }: GradeFields) =>
  z
    .object({
      ...commonFields,
      annotations: annotationsSchema.optional(),
      grade: grade.optional(),
      total_grade: (totalGrade ?? ignored).optional(),
    })
    .superRefine(refineSelection('grade', 'a grade'))
    .superRefine((given, context) => {
      if (given.grade === undefined && given.total_grade !== undefined)
        wrong(context, 'grade', requiredMessage('grade'));
    })
    .transform((given) => ({
      comment: given.comment,
      annotations: given.annotations,
      grade: given.grade,
      totalGrade: given.total_grade,
      selection: given.selection,
      rubricRevision: given.rubric_revision,
      adjustment: given.adjustment ?? 0,
    }));

export type GivenGrading = z.output<ReturnType<typeof gradingSchema>>;

/** The grading of an answer in a request: points, a selection of the rubric of its question, or neither; with a comment. */
export const answerGradingSchema = z
  .object({ ...commonFields, points: points(pointsRange).optional() })
  .superRefine(refineSelection('points', 'points'))
  .transform((given) => ({
    comment: given.comment,
    points: given.points,
    selection: given.selection,
    rubricRevision: given.rubric_revision,
    adjustment: given.adjustment ?? 0,
  }));

export type GivenAnswerGrading = z.output<typeof answerGradingSchema>;
