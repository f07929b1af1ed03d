import type { AuditChanges } from '../audit/auditEntry.ts';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { withheldChange } from '../audit/changesOf.ts';
import type { IdempotencyKey } from '../database/idempotencyStore.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import { ChangedMeanwhile } from './changedMeanwhile.ts';
import { isExpected } from './entityTags.ts';
import type { GradableSubmission } from './gradableRepository.ts';
import type { GradedKind } from './gradedKind.ts';
import type { GradingToWrite } from './gradeWriter.ts';
import { countGrading } from './gradingMetrics.ts';
import { untilWritten } from './untilWritten.ts';
import { type WriteDependencies, writeGrading } from './writeGrading.ts';

export interface GradingDependencies extends WriteDependencies {
  kind: GradedKind;
  audit: EventAuditTrail;
}

/** The conditions under which a grading takes effect. */
export interface GradingConditions {
  /** The entity tags of the states that the caller accepts. */
  expected: string[] | 'any';
  /** Repetitions with the same key have no further effect. */
  key: IdempotencyKey | undefined;
}

/** A requested grading, as the API that received it reads, plans, identifies and audits it. */
export interface RequestedGrading<State extends GradableSubmission> {
  /** @throws AppError `not_found` */
  find(): Promise<State>;
  /** @throws AppError `invalid` */
  plan(before: State): GradingToWrite | Promise<GradingToWrite>;
  stateAfter(before: State, grading: GradingToWrite): State;
  tagOf(state: State): string;
  /** The changes in the audit log, except changes to the comment. */
  auditedChanges(before: State, grading: GradingToWrite): AuditChanges | null;
}

interface Graded<State> {
  /** The entity tag of the state after the grading. */
  tag: string;
  /** The submission after the grading; absent if the request repeats an earlier one. */
  submission?: State;
}

/**
 * Grades a submission, or grades it again: the later grading overwrites the earlier one, and the history contains both. A
 * grading that changes nothing is added to the history and publishes no event. It takes effect only on a state that the
 * caller expects.
 * @param seen the submission, if it has been read already
 * @throws ChangedMeanwhile when the submission or its rubric has changed
 */
export function gradeSubmission<State extends GradableSubmission>(
  dependencies: GradingDependencies,
  requested: RequestedGrading<State>,
  { expected, key }: GradingConditions,
  seen?: State,
): Promise<Graded<State>> {
  return dependencies.idempotency.once<Graded<State>>(key, () =>
    untilWritten(
      async (before) => {
        const grading = await requested.plan(before);
        if (!isExpected(expected, requested.tagOf(before))) throw new ChangedMeanwhile(before);
        const submission = requested.stateAfter(before, grading);
        const tag = requested.tagOf(submission);
        const events = eventsOf(dependencies, grading, requested.auditedChanges(before, grading));
        const recorded = key && { key, result: { tag } };
        if (!(await writeGrading(dependencies, grading, events, recorded))) return undefined;
        countGrading(grading.way);
        return { tag, submission };
      },
      requested.find,
      seen,
    ),
  );
}

/** Returns the events of a grading: those that other services consume, and the entry in the audit log. */
export function eventsOf(
  { kind, audit }: Pick<GradingDependencies, 'kind' | 'audit'>,
  { before, after, isPublished }: GradingToWrite,
  auditedChanges: AuditChanges | null,
): CloudEvent[] {
  const changes = { ...auditedChanges, ...withheldChange('comment', before.comment, after.comment) };
  const audited = audit.eventOf({
    action: kind.audit.action,
    object: { type: kind.audit.submission, id: before.id },
    changes: Object.keys(changes).length > 0 ? changes : null,
  });
  const { grade, totalGrade, gradedBy, gradedAt } = after;
  // An item with questions has no grade until each of them is graded.
  if (!isPublished || grade === null || totalGrade === null || gradedBy === null || gradedAt === null)
    return [audited];
  return [kind.gradedEvent({ ...before, ...after, grade, totalGrade, gradedBy, gradedAt }), audited];
}
