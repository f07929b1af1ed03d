import { z } from 'zod';
import { maxInteger } from '../config/maxInteger.ts';
import { type FieldErrors, invalid } from '../errors/appError.ts';
import {
  checkInput,
  decimal,
  fieldName,
  flag,
  integer,
  integerText,
  nullable,
  recordId,
  requiredMessage,
  string,
} from '../http/validation.ts';
import { toPoints } from './points.ts';
import { rubricModes } from './rubric.ts';

const maxSearchLength = 255;
export const maxItems = 100;
const maxSkipped = 200;
export const pointsLimit = 1_000_000;

/** The limits of grades (D23). Those of total grades also apply to quizzes and rubrics. */
export const gradeRange = { least: 0, below: pointsLimit, decimals: 4 };
export const totalGradeRange = { above: 0, below: pointsLimit, decimals: 4 };
const pointsRange = { least: 0, most: pointsLimit, decimals: 4 };
export const points = (range: Parameters<typeof decimal>[0]) => decimal(range).transform(toPoints);

/**
 * Validates input with nested lists. Keys errors by the name of the list, not by the position in it.
 * @throws AppError `invalid`
 */
export function parseBody<T>(schema: z.ZodType<T>, input: unknown): T {
  const checked = checkInput(schema, input);
  if (!checked.errors) return checked.value;
  const fields: FieldErrors = Object.create(null);
  for (const [path, messages] of Object.entries(checked.errors)) {
    const [name = path] = path.split('.');
    fields[name] = [...(fields[name] ?? []), ...messages];
  }
  throw invalid(fields);
}

const list = <Entry extends z.ZodType>(name: string, entry: Entry, min: number, max: number) =>
  z
    .array(entry, {
      error: (issue) => (issue.input === undefined ? requiredMessage(name) : `The ${name} must be a list.`),
    })
    .min(min, { error: `The ${name} must be at least ${min}.` })
    .max(max, { error: `The ${name} may not be more than ${max}.` });

const text = (min: number, max: number) =>
  string(max).refine((value) => [...value].length >= min, {
    error: (issue) => requiredMessage(fieldName(issue.path)),
  });

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

export const hasDuplicates = (values: unknown[]): boolean => new Set(values).size < values.length;

/** A rubric in a request. `fixedMaxPoints` is given if the grade is a rating. */
export const rubricSchema = (fixedMaxPoints?: number) =>
  z
    .object({
      mode: z.enum(rubricModes),
      max_points: points(totalGradeRange).refine(
        (value) => fixedMaxPoints === undefined || value === toPoints(fixedMaxPoints),
        { error: `The max points must be ${fixedMaxPoints}.` },
      ),
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

export type GivenRubric = z.output<ReturnType<typeof rubricSchema>>;

/** Query of a list with keyset pagination. */
export const listQuery = {
  search: string(maxSearchLength).default(''),
  cursor: z.string().optional(),
  per_page: integerText(1).default(50),
};

/** Query of a queue, of whole submissions or of their answers to a question. */
export const queueQuery = z.object({
  question_id: recordId().optional(),
  status: z.enum(['all', 'ungraded', 'graded']).default('all'),
  ...listQuery,
});

/** Query of a claim. */
export const claimQuery = z.object({ take: flag.default(false) });

/** Query of a change of a rubric. */
export const rubricQuery = z
  .object({ dry_run: flag.default(false) })
  .transform(({ dry_run }) => ({ isDryRun: dry_run }));

export const itemFilter = z.object({
  course_id: recordId().optional(),
  state: z
    .enum(['draft', 'open', 'closed', 'all'])
    .default('all')
    .transform((state) => (state === 'all' ? undefined : state)),
});

/** Body of `next`; undefined without one. */
export const nextSchema = z
  .object({
    skip: z
      .array(recordId(), { error: 'The skip must be a list.' })
      .max(maxSkipped, { error: `The skip may not be more than ${maxSkipped}.` })
      .nullable()
      .optional(),
    question_id: recordId().nullable().optional(),
  })
  .transform(({ skip, question_id }) => ({ skip: skip ?? [], questionId: question_id ?? undefined }));

/** Query of the history of a submission, or of one of its answers. */
export const historyQuery = z
  .object({ question_id: recordId().optional() })
  .transform(({ question_id }) => ({ questionId: question_id }));
