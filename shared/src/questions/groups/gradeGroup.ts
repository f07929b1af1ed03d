import { inTransaction } from '../../database/connection.ts';
import { notFound } from '../../errors/appError.ts';
import type { GraderDependencies } from '../../grading/dependencies.ts';
import type { GivenAnswerGrading } from '../../grading/gradingSchema.ts';
import { gradeAnswers } from '../gradeAnswers.ts';

interface GroupPlace {
  itemId: number;
  questionId: number;
  id: number;
}

interface GradedGroup {
  graded: number;
  /** The answers that another grader has claimed. */
  skipped: number;
}

/**
 * Grades either all answers of a group or none, each with its own history. Skips answers that another grader has
 * claimed, and answers that were replaced or moved to another group in the meantime.
 * @throws AppError `not_found` or `invalid`, or ChangedMeanwhile when the rubric has a different revision
 */
export async function gradeGroup(
  dependencies: GraderDependencies,
  place: GroupPlace,
  given: GivenAnswerGrading,
  userId: number,
): Promise<GradedGroup> {
  const { sequelize, groups } = dependencies;
  return inTransaction(sequelize, async (transaction) => {
    if (!(await groups.find(place, transaction))) throw notFound();
    const { itemId, questionId, id } = place;
    const submissionIds = await groups.members(id, transaction);
    let skipped = 0;
    const grading = { itemId, questionId, submissionIds, given, userId };
    const changes = await gradeAnswers(
      dependencies,
      {
        ...grading,
        accept(answers) {
          const members = answers.filter(({ groupId }) => groupId === id);
          const free = members.filter(({ claimedBy }) => claimedBy === null || claimedBy === userId);
          skipped = members.length - free.length;
          return free;
        },
      },
      transaction,
    );
    return { graded: changes.length, skipped };
  });
}
