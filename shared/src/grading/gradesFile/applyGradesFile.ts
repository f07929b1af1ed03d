import type { Transaction } from 'sequelize';
import { changesOf } from '../../audit/changesOf.ts';
import { batches } from '../../database/batches.ts';
import { inTransaction } from '../../database/connection.ts';
import { AppError, invalid } from '../../errors/appError.ts';
import type { GraderDependencies } from '../dependencies.ts';
import type { GradableSubmission } from '../gradableRepository.ts';
import { eventsOf } from '../gradeSubmission.ts';
import type { GradingToWrite } from '../gradeWriter.ts';
import { countGrading } from '../gradingMetrics.ts';
import { planGradeOfFile } from '../planGrading.ts';
import type { FileChange } from './gradesFile.ts';
import type { StoredPlan } from './gradesFileRepository.ts';

type Dependencies = Pick<
  GraderDependencies,
  | 'kind'
  | 'sequelize'
  | 'gradesFiles'
  | 'releases'
  | 'answerWriter'
  | 'gradable'
  | 'writer'
  | 'outbox'
  | 'audit'
>;

interface Applied {
  changes: number;
  unchanged: number;
}

/**
 * Applies all changes that a file plans, or none. Each change is an ordinary grading, which requires that the
 * submission is still in the state that the file was compared with. Applying it again changes nothing and returns the
 * same result.
 * @throws AppError `invalid` for an unknown token, `conflict` if a submission has changed
 */
export async function applyGradesFile(
  dependencies: Dependencies,
  token: string,
  key: { itemId: number; userId: number },
): Promise<Applied> {
  const { sequelize, gradesFiles } = dependencies;
  const { plan, written } = await inTransaction(sequelize, async (transaction) => {
    const plan = await gradesFiles.lock(token, key, transaction);
    if (!plan) throw invalid({ token: ['The token is unknown or has expired. Start another dry run.'] });
    const written = plan.isApplied ? [] : await gradeAll(dependencies, plan, key, transaction);
    if (!plan.isApplied) await gradesFiles.markApplied(plan.id, transaction);
    return { plan, written };
  });
  for (const { way } of written) countGrading(way);
  return { changes: plan.changed, unchanged: plan.unchanged };
}

async function gradeAll(
  { releases, answerWriter, ...dependencies }: Dependencies,
  { changes }: StoredPlan,
  { itemId, userId }: { itemId: number; userId: number },
  transaction: Transaction,
): Promise<GradingToWrite[]> {
  const ordered = changes.toSorted((one, other) => one.submissionId - other.submissionId);
  const ids = ordered.map(({ submissionId }) => submissionId);
  // The same lock order as when grading groups. The item's release cannot change before the events are stored.
  await releases.lockShared(itemId, transaction);
  await answerWriter.lockSubmissions(ids, transaction);
  const written: GradingToWrite[] = [];
  for (const batch of batches(ordered))
    written.push(...(await gradeBatch(dependencies, batch, userId, transaction)));
  return written;
}

async function gradeBatch(
  { kind, gradable, writer, outbox, audit }: Omit<Dependencies, 'releases' | 'answerWriter'>,
  changes: FileChange[],
  userId: number,
  transaction: Transaction,
): Promise<GradingToWrite[]> {
  const found = await gradable.findAll(
    changes.map(({ submissionId }) => submissionId),
    transaction,
  );
  const submissions = new Map(found.map((each) => [each.id, each]));
  const gradings = changes.map((change) => toGrading(submissions.get(change.submissionId), change, userId));
  for (const grading of gradings) if (!(await writer.write(grading, transaction))) throw changedMeanwhile();
  const events = gradings.flatMap((grading) => {
    const { before, after } = grading;
    const changed = changesOf<Pick<GradableSubmission, 'grade' | 'totalGrade'>>(before, after, [
      'grade',
      'totalGrade',
    ]);
    return eventsOf({ kind, audit }, grading, changed);
  });
  await outbox.addAll(events, transaction);
  return gradings;
}

function toGrading(
  before: GradableSubmission | undefined,
  { version, grade, totalGrade, comment }: FileChange,
  userId: number,
): GradingToWrite {
  if (before?.version !== version || (before.hasAnswers && grade !== null)) throw changedMeanwhile();
  const planned = planGradeOfFile(before, { grade, totalGrade, comment, gradedBy: userId });
  return { ...planned, before, marking: undefined, releasedBy: userId };
}

const changedMeanwhile = () => new AppError('conflict', 'Changed meanwhile');
