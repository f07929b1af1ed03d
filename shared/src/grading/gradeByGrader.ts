import type { Sequelize } from 'sequelize';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { changesOf, withheldChange } from '../audit/changesOf.ts';
import { inTransaction } from '../database/connection.ts';
import type { IdempotencyKey, IdempotencyStore } from '../database/idempotencyStore.ts';
import { invalid, notFound } from '../errors/appError.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import type { Outbox } from '../events/outbox.ts';
import { type Annotation, placeErrors } from './annotation.ts';
import { ChangedMeanwhile } from './changedMeanwhile.ts';
import type { Detail, DetailRepository } from './detailRepository.ts';
import { detailTag, isExpected } from './entityTags.ts';
import type { GradedKind } from './gradedKind.ts';
import type { GradeWriter, GradingToWrite } from './gradeWriter.ts';
import { countGrading } from './gradingMetrics.ts';
import type { Pages } from './pages.ts';
import { planGrading, requireKnownItems } from './planGrading.ts';
import type { GivenGrading } from './schemas.ts';
import { untilWritten } from './untilWritten.ts';

export interface GradingDependencies {
  sequelize: Sequelize;
  kind: GradedKind;
  details: DetailRepository;
  writer: GradeWriter;
  pages: Pages;
  outbox: Outbox;
  audit: EventAuditTrail;
  idempotency: IdempotencyStore;
}

interface Conditions {
  /** The states of the submission that the caller accepts. */
  expected: string[] | 'any';
  key: IdempotencyKey | undefined;
}

/**
 * Grades a submission by a grade or by its rubric, or changes its comment and annotations. It takes effect only on a state that
 * the caller expects: no grader overwrites another's grading unseen. Returns the submission afterwards and the tag of
 * that state. A repetition returns the submission as it is now, with the tag of the grading that it repeats.
 * @param seen the submission as it was read for the checks before
 * @throws ChangedMeanwhile when the submission or its rubric is in another state
 */
export async function gradeByGrader(
  dependencies: GradingDependencies,
  seen: Detail,
  given: GivenGrading,
  callerId: number,
  { expected, key }: Conditions,
): Promise<{ tag: string; detail: Detail }> {
  const { details, idempotency } = dependencies;
  const { tag, detail } = await idempotency.once<{ tag: string; detail?: Detail }>(key, () =>
    untilWritten(details, seen, callerId, async (before) => {
      const grading = await prepare(dependencies, before, given, callerId);
      if (!isExpected(expected, detailTag(before))) throw new ChangedMeanwhile(before);
      const after = afterGrading(grading);
      const tag = detailTag(after);
      if (!(await write(dependencies, grading, key, tag))) return undefined;
      countGrading(grading.way);
      return { tag, detail: after };
    }),
  );
  const present = detail ?? (await details.find(seen.id, callerId));
  if (!present) throw notFound();
  return { tag, detail: present };
}

// Errors of the request are reported before an outdated state, except those that an outdated state itself explains: a selection
// from another revision of the rubric.
async function prepare(
  { kind, details, pages }: GradingDependencies,
  before: Detail,
  given: GivenGrading,
  callerId: number,
): Promise<GradingToWrite> {
  const { annotations } = given;
  if (annotations?.length) await requirePlaces({ details, pages }, before, annotations, callerId);
  const planned = planGrading(kind, before, given, callerId);
  if (annotations) requireKnownItems(before, annotations);
  return { ...planned, before, annotations, callerId };
}

async function requirePlaces(
  { details, pages }: Pick<GradingDependencies, 'details' | 'pages'>,
  before: Detail,
  annotations: Annotation[],
  callerId: number,
): Promise<void> {
  const files = await pages.measured(before.files, callerId);
  const present = new Set(files.map(({ id }) => id));
  const isElsewhere = annotations.some(({ fileId }) => !present.has(fileId));
  const replaced = isElsewhere ? await details.replacedFiles(before.id) : [];
  const errors = placeErrors(annotations, files, replaced);
  if (errors.length > 0) throw invalid({ annotations: errors });
}

async function write(
  dependencies: GradingDependencies,
  grading: GradingToWrite,
  key: IdempotencyKey | undefined,
  tag: string,
): Promise<boolean> {
  const { sequelize, writer, outbox, idempotency } = dependencies;
  const events = eventsOf(dependencies, grading);
  if (!key) return outbox.addBy(events, (rows) => writer.writeAtOnce(grading, rows));
  return inTransaction(sequelize, async (transaction) => {
    if (!(await writer.write(grading, transaction))) return false;
    await outbox.add(events, transaction);
    await idempotency.recordResult(key, { tag }, transaction);
    return true;
  });
}

function eventsOf(
  { kind, audit }: Pick<GradingDependencies, 'kind' | 'audit'>,
  { before, after, isPublished, annotations }: GradingToWrite,
): CloudEvent[] {
  const marks = (list: Annotation[]) => (list.length === 0 ? null : JSON.stringify(list));
  const changes = {
    ...changesOf<Pick<Detail, 'grade' | 'totalGrade'>>(before, after, ['grade', 'totalGrade']),
    ...withheldChange('comment', before.comment, after.comment),
    ...(annotations && withheldChange('annotations', marks(before.annotations), marks(annotations))),
  };
  const audited = audit.eventOf({
    action: kind.audit.action,
    object: { type: kind.audit.submission, id: before.id },
    changes: Object.keys(changes).length > 0 ? changes : null,
  });
  return isPublished ? [kind.gradedEvent({ ...before, ...after }), audited] : [audited];
}

/** The submission as the grading leaves it. */
function afterGrading({ before, after, annotations, callerId }: GradingToWrite): Detail {
  const isReleased = before.claimedBy === callerId;
  return {
    ...before,
    ...after,
    graderName: after.gradedBy === callerId ? before.callerName : before.graderName,
    annotations: annotations ?? before.annotations,
    ...(isReleased ? { claimedBy: null, claimerName: null, claimedUntil: null } : {}),
    rubric: before.rubric && {
      ...before.rubric,
      items: before.rubric.items.map((item) => ({
        ...item,
        uses:
          item.uses + Number(after.selection.includes(item.id)) - Number(before.selection.includes(item.id)),
      })),
    },
  };
}
