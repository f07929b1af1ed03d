import type { Transaction } from 'sequelize';
import type { AuditedAction } from '../audit/auditEntry.ts';
import { AppError, notFound } from '../errors/appError.ts';
import { answersByRubric } from '../questions/answersByRubric.ts';
import type { OutlineDependencies } from '../questions/outline/outlineDependencies.ts';
import { ChangedMeanwhile } from './changedMeanwhile.ts';
import { questionRubricTag, rubricTag } from './entityTags.ts';
import { fromPoints, type Points, toPoints } from './points.ts';
import type { GradedItem } from './queuedItem.ts';
import type { WorkByRubric } from './regrade.ts';
import type { RegradeRepository } from './regradeRepository.ts';
import type { CountedRubric, RubricRepository } from './rubricRepository.ts';
import type { GivenRubric } from './rubricSchema.ts';
import { submissionsByRubric } from './submissionsByRubric.ts';

/** The owner of a rubric: an item, or one of its questions. */
export interface RubricTarget {
  /** The id of the item, or of the question. */
  id: number;
  itemId: number;
  rubrics: RubricRepository;
  work: WorkByRubric;
  /** The maximum of its rubrics; undefined if a rubric can have any. */
  maxPoints: Points | undefined;
  /** Whether a request may omit the maximum. */
  isMaxOptional: boolean;
  object: NonNullable<AuditedAction['object']>;
  tagOf(rubric: { revision: number }): string;
  /**
   * Finds the rubric and locks it until the end of the transaction, after a lock that excludes other changes of the outline and of rubrics of
   * the item.
   * @throws AppError `not_found` for a question that was removed
   */
  lock(transaction: Transaction): Promise<CountedRubric | undefined>;
  /** Checks in the transaction of a change that the target may have this rubric. */
  requireAllowed(
    given: GivenRubric,
    before: CountedRubric | undefined,
    transaction: Transaction,
  ): Promise<void>;
}

type Dependencies = OutlineDependencies & { regrades: RegradeRepository };
type Item = Pick<GradedItem, 'id' | 'order'>;

/** The rubric of whole submissions. */
export function itemTarget(dependencies: Dependencies, item: Item): RubricTarget {
  const { kind, rubrics, outlines } = dependencies;
  return {
    id: item.id,
    itemId: item.id,
    rubrics,
    work: submissionsByRubric(dependencies, item),
    maxPoints: kind.fixedTotal === undefined ? undefined : toPoints(kind.fixedTotal),
    isMaxOptional: false,
    object: { type: kind.audit.item, id: item.id },
    tagOf: (rubric) => rubricTag(item.id, rubric),
    async lock(transaction) {
      await outlines.lockEditors(item.id, transaction);
      return rubrics.lock(item.id, transaction);
    },
    async requireAllowed(_given, _before, transaction) {
      if (await outlines.hasQuestions(item.id, transaction))
        throw new AppError('conflict', 'The item has questions', { reason: 'has_questions' });
    },
  };
}

/** The rubric of the answers to a question. @throws AppError `not_found` */
export async function questionTarget(
  dependencies: Dependencies,
  item: Item,
  questionId: number,
): Promise<RubricTarget> {
  const { kind, questionRubrics, outlines } = dependencies;
  const requireMaxPoints = async (transaction?: Transaction): Promise<Points> => {
    const maxPoints = await outlines.maxPointsOf(item.id, questionId, transaction);
    if (maxPoints === undefined) throw notFound();
    return maxPoints;
  };
  const maxPoints = await requireMaxPoints();
  return {
    id: questionId,
    itemId: item.id,
    rubrics: questionRubrics,
    work: answersByRubric(dependencies, item, questionId),
    maxPoints,
    isMaxOptional: true,
    object: { type: kind.audit.question, id: `${item.id}/${questionId}` },
    tagOf: (rubric) => questionRubricTag(questionId, rubric),
    async lock(transaction) {
      await outlines.lockEditors(item.id, transaction);
      await requireMaxPoints(transaction);
      return questionRubrics.lock(questionId, transaction);
    },
    async requireAllowed(given, before, transaction) {
      const present = await requireMaxPoints(transaction);
      // The body was validated against the question's earlier maximum.
      if (present !== given.maxPoints) throw new ChangedMeanwhile(before ?? null);
    },
  };
}

/** The fixed maximum of a target as in requests. */
export const fixedMaxOf = ({ maxPoints }: RubricTarget): number | undefined =>
  maxPoints === undefined ? undefined : fromPoints(maxPoints);
