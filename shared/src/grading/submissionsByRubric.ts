import type { Outbox } from '../events/outbox.ts';
import type { GradedKind } from './gradedKind.ts';
import type { GradedItem } from './queuedItem.ts';
import type { WorkByRubric } from './regrade.ts';
import type { RegradeRepository, SubmissionByRubric } from './regradeRepository.ts';

interface Dependencies {
  kind: GradedKind;
  regrades: RegradeRepository;
  outbox: Outbox;
}

/** The submissions for an item that are graded with its rubric. */
export const submissionsByRubric = (
  { kind, regrades, outbox }: Dependencies,
  { id: itemId, order }: Pick<GradedItem, 'id' | 'order'>,
): WorkByRubric<SubmissionByRubric> => ({
  lockAll: (transaction) => regrades.lockAll(itemId, transaction),
  after: (last, limit, transaction) => regrades.after({ itemId, order }, last, limit, transaction),
  dropSelections: (transaction) => regrades.dropSelections(itemId, transaction),
  changeTo(submission, points, maxPoints) {
    const { grade: to, totalGrade: total } = kind.rule(points, maxPoints);
    const { grade: from, totalGrade } = submission;
    return { from, to, total, isChanged: from !== to || totalGrade !== total };
  },
  async write(submissions, results, by, transaction) {
    await regrades.write(results, by, transaction);
    const events = submissions.flatMap((submission, index) => {
      const { isChanged = false, to: grade = 0, total: totalGrade = 0 } = results[index] ?? {};
      const revision = submission.revision + 1;
      return isChanged
        ? [kind.gradedEvent({ ...submission, itemId, grade, totalGrade, gradedAt: by.at, revision })]
        : [];
    });
    await outbox.addAll(events, transaction);
  },
});
