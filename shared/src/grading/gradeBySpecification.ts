import { changesOf } from '../audit/changesOf.ts';
import { versionTag } from './entityTags.ts';
import type { GradableRepository, GradableSubmission } from './gradableRepository.ts';
import { type GradingConditions, type GradingDependencies, gradeSubmission } from './gradeSubmission.ts';
import { planGrade } from './planGrading.ts';

interface Dependencies extends GradingDependencies {
  gradable: GradableRepository;
}

export interface SpecifiedGrade {
  submissionId: number;
  grade: number;
  totalGrade: number;
  /** Undefined keeps the earlier comment, null clears it (D18). */
  comment?: string | null | undefined;
  gradedBy: number;
}

/**
 * Grades a submission through the specification's endpoints (D18, D24), even if its item no longer exists (D21, D43). The
 * claims of graders remain. Returns the entity tag of the state after the grading.
 * @throws ChangedMeanwhile when the submission is not in an expected state
 */
export async function gradeBySpecification(
  dependencies: Dependencies,
  given: SpecifiedGrade,
  conditions: GradingConditions,
): Promise<string> {
  const { gradable, kind } = dependencies;
  const { notFound, auditedGrade } = kind.specification;
  const { tag } = await gradeSubmission<GradableSubmission>(
    dependencies,
    {
      async find() {
        const submission = await gradable.find(given.submissionId);
        if (!submission) throw notFound();
        return submission;
      },
      plan: (before) => ({ ...planGrade(before, given), before, marking: undefined, releasedBy: null }),
      stateAfter: (before, { after }) => ({ ...before, ...after }),
      tagOf: versionTag,
      auditedChanges(before, { after }) {
        const grade = auditedGrade(after);
        return changesOf(auditedGrade(before), grade, Object.keys(grade));
      },
    },
    conditions,
  );
  return tag;
}
