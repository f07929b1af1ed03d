import { changesOf, withheldChange } from '../audit/changesOf.ts';
import { invalid } from '../errors/appError.ts';
import { type Annotation, placeErrors } from './annotation.ts';
import type { Detail, DetailRepository } from './detailRepository.ts';
import { detailTag } from './entityTags.ts';
import { type GradingConditions, type GradingDependencies, gradeSubmission } from './gradeSubmission.ts';
import type { GradingToWrite } from './gradeWriter.ts';
import type { GivenGrading } from './gradingSchema.ts';
import type { Pages } from './pages.ts';
import { planGrading, requireKnownItems } from './planGrading.ts';

export interface GraderGradingDependencies extends GradingDependencies {
  details: DetailRepository;
  pages: Pages;
}

/**
 * Grades a submission, directly or with its rubric, or changes its comment and annotations. It takes effect only on a
 * state that the caller expects, so that no grader overwrites another's unseen grading. Returns the submission after
 * the grading and the tag of that state. A repetition returns the current submission, with the tag of the grading that
 * it repeats.
 * @param seen the submission as it was read for the earlier checks
 * @throws ChangedMeanwhile when the submission or its rubric has changed
 */
export async function gradeByGrader(
  dependencies: GraderGradingDependencies,
  seen: Detail,
  given: GivenGrading,
  callerId: number,
  conditions: GradingConditions,
): Promise<{ tag: string; detail: Detail }> {
  const find = () => dependencies.details.get(seen.id, callerId);
  const { tag, submission } = await gradeSubmission<Detail>(
    dependencies,
    {
      find,
      plan: (before) => plan(dependencies, before, given, callerId),
      stateAfter: (before, grading) => stateAfter(before, grading, given.annotations, callerId),
      tagOf: detailTag,
      auditedChanges: (before, { after }) => ({
        ...changesOf<Pick<Detail, 'grade' | 'totalGrade'>>(before, after, ['grade', 'totalGrade']),
        ...(given.annotations && annotationChange(before.annotations, given.annotations)),
      }),
    },
    conditions,
    seen,
  );
  return { tag, detail: submission ?? (await find()) };
}

// Errors of the request are reported before an outdated state, except those that the outdated state itself explains: a
// selection from a different revision of the rubric.
async function plan(
  { kind, details, pages }: GraderGradingDependencies,
  before: Detail,
  given: GivenGrading,
  callerId: number,
): Promise<GradingToWrite> {
  const { annotations } = given;
  if (annotations?.length) await requirePlaces({ details, pages }, before, annotations, callerId);
  const planned = planGrading(kind, before, given, callerId);
  if (annotations) requireKnownItems(before, annotations);
  const marking = annotations && { annotations, fileIds: before.files.map(({ id }) => id) };
  return { ...planned, before, marking, releasedBy: callerId };
}

async function requirePlaces(
  { details, pages }: Pick<GraderGradingDependencies, 'details' | 'pages'>,
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

function annotationChange(before: Annotation[], after: Annotation[]) {
  const textOf = (list: Annotation[]) => (list.length === 0 ? null : JSON.stringify(list));
  return withheldChange('annotations', textOf(before), textOf(after));
}

function stateAfter(
  before: Detail,
  { after }: GradingToWrite,
  annotations: Annotation[] | undefined,
  callerId: number,
): Detail {
  // A claim on an answer ends when the answer is graded.
  const isReleased = before.claimedBy === callerId && !before.hasAnswers;
  return {
    ...before,
    ...after,
    graderName: after.gradedBy === callerId ? before.callerName : before.graderName,
    graderIsService: after.gradedBy === callerId ? before.callerIsService : before.graderIsService,
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
