import { changesOf, withheldChange } from '../audit/changesOf.ts';
import { inTransaction } from '../database/connection.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import { ChangedMeanwhile } from './changedMeanwhile.ts';
import type { Detail } from './detailRepository.ts';
import { detailTag, isExpected } from './entityTags.ts';
import type { GraderGradingDependencies } from './gradeByGrader.ts';
import { countGrading } from './gradingMetrics.ts';
import { untilWritten } from './untilWritten.ts';

type Dependencies = Pick<
  GraderGradingDependencies,
  'kind' | 'sequelize' | 'details' | 'writer' | 'answerWriter' | 'outbox' | 'audit'
>;

/**
 * Undoes the grading of a submission (D65): clears grade, comment and selection, and adds an entry to the history with the
 * person who undid it. Annotations stay, because they belong to the files. A submission without a grade does not change.
 * @param seen the submission as it was read for the earlier checks
 * @throws ChangedMeanwhile when the submission is not in an expected state
 */
export function ungradeSubmission(
  dependencies: Dependencies,
  seen: Detail,
  callerId: number,
  expected: string[] | 'any',
): Promise<true> {
  const { details } = dependencies;
  const undo = async (before: Detail): Promise<true | undefined> => {
    if (!isExpected(expected, detailTag(before))) throw new ChangedMeanwhile(before);
    if (before.grade === null) return true;
    const isDone = await clear(dependencies, before, callerId);
    if (!isDone) return undefined;
    countGrading('undone');
    return true;
  };
  return untilWritten(undo, () => details.get(seen.id, callerId), seen);
}

// The answers of a submission are ungraded with it.
function clear(dependencies: Dependencies, before: Detail, callerId: number): Promise<boolean> {
  const { sequelize, writer, answerWriter, outbox } = dependencies;
  const events = eventsOf(dependencies, before);
  if (!before.hasAnswers) return outbox.addBy(events, (rows) => writer.clearAtOnce(before, callerId, rows));
  return inTransaction(sequelize, async (transaction) => {
    if (!(await writer.clearExpected(before, callerId, transaction))) return false;
    await answerWriter.reset(before.id, { userId: callerId, at: new Date() }, true, transaction);
    await outbox.add(events, transaction);
    return true;
  });
}

function eventsOf({ kind, audit }: Dependencies, before: Detail): CloudEvent[] {
  const cleared = { grade: null, totalGrade: null };
  const changes = {
    ...changesOf<Pick<Detail, 'grade' | 'totalGrade'>>(before, cleared, ['grade', 'totalGrade']),
    ...withheldChange('comment', before.comment, null),
  };
  const object = { type: kind.audit.submission, id: before.id };
  return [
    kind.ungradedEvent({ ...before, revision: before.revision + 1 }),
    audit.eventOf({ action: kind.audit.undone, object, changes }),
  ];
}
