import { z } from 'zod';
import type { Principal } from '../auth/accessToken.ts';
import { AppError, invalid } from '../errors/appError.ts';
import { recordId } from '../http/validation.ts';
import type { GraderDependencies } from './dependencies.ts';
import { fromPoints, type Points } from './points.ts';
import { type GivenRubric, rubricSchema } from './rubricSchema.ts';
import type { RubricTarget } from './rubricTarget.ts';
import { parseBody, pointsLimit } from './schemas.ts';
import { type RubricDocument, rubricFinder } from './sharedRubric.ts';
import { requireGrader } from './teaching.ts';

type Dependencies = Pick<
  GraderDependencies,
  'kind' | 'queue' | 'teaching' | 'rubrics' | 'questionRubrics' | 'outlines' | 'findRubricOfOtherKind'
>;
type Caller = Pick<Principal, 'userId' | 'role' | 'courseIds'>;

const fromSchema = z.object({
  from: z
    .object({
      kind: z.enum(['quizzes', 'homeworks']),
      item_id: recordId(),
      question_id: recordId().nullable().optional(),
    })
    .transform((from) => ({ kind: from.kind, itemId: from.item_id, questionId: from.question_id ?? null })),
});

type Source = z.output<typeof fromSchema>['from'];

/**
 * Reads the rubric in the body of an import: a document, or the rubric of an item or question that the caller grades. Fits it to the
 * maximum of the target.
 * @throws AppError `invalid`
 */
export async function importedRubric(
  dependencies: Dependencies,
  caller: Caller,
  { maxPoints }: RubricTarget,
  body: unknown,
): Promise<GivenRubric> {
  const hasSource = typeof body === 'object' && body !== null && 'from' in body;
  const document = hasSource
    ? await rubricOf(dependencies, caller, parseBody(fromSchema, body).from)
    : parseBody(rubricSchema(), body);
  return scaleRubric(document, maxPoints ?? document.maxPoints);
}

async function rubricOf(
  dependencies: Dependencies,
  caller: Caller,
  { kind, ...of }: Source,
): Promise<RubricDocument> {
  const isInvalid = () => invalid({ from: ['The selected from is invalid.'] });
  const isOwn = kind === dependencies.kind.name;
  const found = await (isOwn ? rubricFinder(dependencies) : dependencies.findRubricOfOtherKind)(of);
  if (!found) throw isInvalid();
  try {
    await requireGrader(dependencies.teaching, caller, found.courseId);
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? isInvalid() : error;
  }
  if (!found.rubric) throw isInvalid();
  return found.rubric;
}

/**
 * Changes the maximum of a rubric, and its points in proportion.
 * @throws AppError `invalid` for points that could not be represented exactly
 */
export function scaleRubric(rubric: RubricDocument, maxPoints: Points): GivenRubric {
  const errors: string[] = [];
  // The products may exceed the integers that a number represents exactly.
  const scaled = (points: Points, name: string): Points => {
    const product = BigInt(points) * BigInt(maxPoints);
    const quotient = product / BigInt(rubric.maxPoints);
    if (quotient * BigInt(rubric.maxPoints) !== product)
      errors.push(`The ${name} may not have more than 4 decimals after scaling.`);
    else if (quotient > BigInt(pointsLimit) * 10_000n)
      errors.push(`The ${name} may not be greater than ${pointsLimit} after scaling.`);
    return Number(quotient);
  };
  const { mode } = rubric;
  const minPoints = scaled(rubric.minPoints, 'min points');
  const items = rubric.items.map((item, index) => ({
    ...item,
    id: null,
    points: scaled(item.points, `items.${index}.points ${fromPoints(item.points)}`),
  }));
  if (errors.length > 0) throw invalid({ items: errors });
  return { mode, maxPoints, minPoints, items };
}
