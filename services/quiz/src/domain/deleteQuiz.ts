import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import { auditQuiz } from './auditQuiz.ts';
import type { QuizDependencies } from './createQuiz.ts';

/** Deletes a quiz. Its submissions remain and can still be graded. */
export function deleteQuiz(
  { sequelize, quizzes, audit }: Pick<QuizDependencies, 'sequelize' | 'quizzes' | 'audit'>,
  id: number,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await quizzes.lock(id, transaction);
    if (!before || !(await quizzes.delete(id, transaction))) throw notFound();
    await auditQuiz(audit, 'quiz.deleted', before, null, transaction);
  });
}
