import type { Transaction } from 'sequelize';
import { keysetPages } from '../database/keysetPages.ts';
import { invalid } from '../errors/appError.ts';
import type { Outbox } from '../events/outbox.ts';
import { inChildSpan } from '../tracing/span.ts';
import type { GradedKind } from './gradedKind.ts';
import { gradeOf } from './gradeResult.ts';
import { fromPoints, toPoints } from './points.ts';
import type { QueueOrder } from './queueOrder.ts';
import type { Regraded, RegradeRepository, SubmissionByRubric } from './regradeRepository.ts';
import { conflictIn, type Rubric } from './rubric.ts';

export interface RegradeDependencies {
  kind: GradedKind;
  regrades: RegradeRepository;
  outbox: Outbox;
}

/** The new rubric, without its new items, which no grader has selected yet. */
export type RubricOfSelections = Pick<Rubric, 'mode' | 'maxPoints' | 'minPoints' | 'items'>;

interface GradeChange {
  submissionId: number;
  studentName: string | null;
  from: number;
  to: number;
}

/** The effect of a change to a rubric. */
export interface Regrading {
  regraded: number;
  /** Signed; null when nothing is regraded. */
  minChange: number | null;
  maxChange: number | null;
  /** The first changes, in the order of the queue. */
  changes: GradeChange[];
}

// Limits the memory: only the rows, history and events of one batch are held at a time.
const batchSize = 500;
const maxListed = 100;

/**
 * Computes the new grades of all submissions that are graded with the rubric. With `written`, also writes them with
 * their history and events, and the new revision of the rubric.
 * @throws AppError `invalid` if two selected items of a submission are now in one group
 */
export function regrade(
  dependencies: RegradeDependencies,
  { itemId, order }: { itemId: number; order: QueueOrder },
  rubric: RubricOfSelections,
  transaction: Transaction,
  written?: { revision: number; userId: number },
): Promise<Regrading> {
  return inChildSpan('regrade submissions', {}, async (span) => {
    const result: Regrading = { regraded: 0, minChange: null, maxChange: null, changes: [] };
    const at = new Date();
    const { kind, regrades } = dependencies;
    const batches = keysetPages<SubmissionByRubric>((last) =>
      regrades.after({ itemId, order }, last, batchSize, transaction),
    );
    for await (const batch of batches) {
      const results = batch.map((submission) => regradeOne(kind, rubric, submission));
      for (const [index, submission] of batch.entries())
        count(result, submission, results[index] as Regraded);
      if (!written) continue;
      const by = { rubricRevision: written.revision, userId: written.userId, at };
      await regrades.write(results, by, transaction);
      await publish(dependencies, itemId, batch, results, at, transaction);
    }
    span?.setAttribute('gradeway.submissions.regraded', result.regraded);
    return result;
  });
}

function regradeOne(kind: GradedKind, rubric: RubricOfSelections, submission: SubmissionByRubric): Regraded {
  const known = new Set(rubric.items.map(({ id }) => id));
  const selection = submission.selection.filter((id) => known.has(id));
  requireNoConflict(rubric, selection);
  const chosen = { itemIds: selection, adjustment: submission.adjustment };
  const { grade, totalGrade } = gradeOf(kind.rule, rubric, chosen);
  const isChanged = grade !== submission.grade || totalGrade !== submission.totalGrade;
  return { id: submission.id, grade, totalGrade, selection, isChanged };
}

function requireNoConflict({ items }: RubricOfSelections, selection: number[]): void {
  const conflict = conflictIn(items, selection);
  if (!conflict) return;
  const texts = conflict.itemIds.map((id) => items.find((item) => item.id === id)?.text);
  throw invalid({
    items: [
      `A submission has both ${texts.join(' and ')} selected, which cannot be in one group, ${conflict.group}.`,
    ],
  });
}

function count(result: Regrading, submission: SubmissionByRubric, { grade, isChanged }: Regraded): void {
  if (!isChanged) return;
  // Exact decimals: 0.3 - 0.1 is 0.2.
  const change = fromPoints(toPoints(grade) - toPoints(submission.grade));
  result.regraded += 1;
  result.minChange = Math.min(result.minChange ?? change, change);
  result.maxChange = Math.max(result.maxChange ?? change, change);
  if (result.changes.length === maxListed) return;
  const { id: submissionId, studentName, grade: from } = submission;
  result.changes.push({ submissionId, studentName, from, to: grade });
}

function publish(
  { kind, outbox }: RegradeDependencies,
  itemId: number,
  batch: SubmissionByRubric[],
  results: Regraded[],
  gradedAt: Date,
  transaction: Transaction,
): Promise<void> {
  const events = batch.flatMap((submission, index) => {
    const { isChanged, grade, totalGrade } = results[index] as Regraded;
    const revision = submission.revision + 1;
    return isChanged
      ? [kind.gradedEvent({ ...submission, itemId, grade, totalGrade, gradedAt, revision })]
      : [];
  });
  return outbox.addAll(events, transaction);
}
