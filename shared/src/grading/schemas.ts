import { z } from 'zod';
import { type FieldErrors, invalid } from '../errors/appError.ts';
import {
  checkInput,
  decimal,
  fieldName,
  flag,
  integerText,
  recordId,
  requiredMessage,
  string,
} from '../http/validation.ts';
import { toPoints } from './points.ts';

const maxSearchLength = 255;
export const maxItems = 100;
const maxSkipped = 200;
export const pointsLimit = 1_000_000;

/** The limits of grades (D23). The limits of total grades also apply to quizzes and rubrics. */
export const gradeRange = { least: 0, below: pointsLimit, decimals: 4 };
export const totalGradeRange = { above: 0, below: pointsLimit, decimals: 4 };
export const pointsRange = { least: 0, most: pointsLimit, decimals: 4 };
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

export const list = <Entry extends z.ZodType>(name: string, entry: Entry, min: number, max: number) =>
  z
    .array(entry, {
      error: (issue) => (issue.input === undefined ? requiredMessage(name) : `The ${name} must be a list.`),
    })
    .min(min, { error: `The ${name} must be at least ${min}.` })
    .max(max, { error: `The ${name} may not be more than ${max}.` });

export const text = (min: number, max: number) =>
  string(max).refine((value) => [...value].length >= min, {
    error: (issue) => requiredMessage(fieldName(issue.path)),
  });

export const hasDuplicates = (values: unknown[]): boolean => new Set(values).size < values.length;

/** Query parameters of a list with keyset pagination. */
export const listQuery = {
  search: string(maxSearchLength).default(''),
  cursor: z.string().optional(),
  per_page: integerText(1).default(50),
};

/** Query parameters of a queue, of whole submissions or of their answers to a question. */
export const queueQuery = z.object({
  question_id: recordId().optional(),
  status: z.enum(['all', 'ungraded', 'graded']).default('all'),
  ...listQuery,
});

/** Query parameters of a claim. */
export const claimQuery = z.object({ take: flag.default(false) });

export const itemFilter = z.object({
  course_id: recordId().optional(),
  state: z
    .enum(['draft', 'open', 'closed', 'all'])
    .default('all')
    .transform((state) => (state === 'all' ? undefined : state)),
});

/** The body of `next`; undefined if there is none. */
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

/** Query parameters for the history of a submission, or of one of its answers. */
export const historyQuery = z
  .object({ question_id: recordId().optional() })
  .transform(({ question_id }) => ({ questionId: question_id }));
