import { batches } from '../database/batches.ts';
import type { Outbox } from '../events/outbox.ts';
import { fromPoints, toPoints } from '../grading/points.ts';
import type { GradedItem } from '../grading/queuedItem.ts';
import type { WorkByRubric } from '../grading/regrade.ts';
import type { AnswerByRubric, AnswerRegradeRepository } from './answerRegradeRepository.ts';
import type { AnswerWriter } from './answerWriter.ts';
import type { SubmissionSettler } from './submissionSettler.ts';

interface Dependencies {
  answerRegrades: AnswerRegradeRepository;
  answerWriter: AnswerWriter;
  settler: SubmissionSettler;
  outbox: Outbox;
}

/**
 * The answers to a question that are graded with its rubric. An answer keeps its grader and grading time, so that the
 * grader of the submission's last answer does not change.
 */
export function answersByRubric(
  { answerRegrades, answerWriter, settler, outbox }: Dependencies,
  { order }: Pick<GradedItem, 'order'>,
  questionId: number,
): WorkByRubric<AnswerByRubric> & {
  /** Writes without settling the submissions. */
  writeOnly: WorkByRubric<AnswerByRubric>['write'];
} {
  const writeOnly: WorkByRubric<AnswerByRubric>['write'] = (
    answers,
    results,
    { rubricRevision, userId, at },
    transaction,
  ) => {
    const changes = answers.map(({ id: submissionId, comment, adjustment, gradedBy, gradedAt }, index) => {
      const { to = 0, selection = [], isChanged = false } = results[index] ?? {};
      return {
        ...{ submissionId, questionId, points: toPoints(to), comment, selection, adjustment },
        ...{ rubricRevision, gradedBy, gradedAt, isChanged },
      };
    });
    return answerWriter.write(changes, { userId, at, reason: 'rubric' }, transaction);
  };
  return {
    async lockAll(transaction) {
      const ids = await answerRegrades.submissionIds(questionId, transaction);
      await answerWriter.lockSubmissions(ids, transaction);
    },
    after: (last, limit, transaction) =>
      answerRegrades.after({ questionId, order }, last, limit, transaction),
    async dropSelections(transaction) {
      const ids = await answerRegrades.submissionIds(questionId, transaction);
      for (const batch of batches(ids)) await answerRegrades.dropSelections(questionId, batch, transaction);
    },
    changeTo(answer, points, maxPoints) {
      const [from, to, total] = [answer.points, points, maxPoints].map(fromPoints) as [
        number,
        number,
        number,
      ];
      return { from, to, total, isChanged: from !== to };
    },
    writeOnly,
    async write(answers, results, by, transaction) {
      await writeOnly(answers, results, by, transaction);
      const changed = results.flatMap(({ id, isChanged }) => (isChanged ? [id] : []));
      const { events } = await settler.settle(changed, by.userId, by.at, transaction);
      await outbox.addAll(events, transaction);
    },
  };
}
