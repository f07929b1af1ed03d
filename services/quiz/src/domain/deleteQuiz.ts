import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import { changeEvents } from '@gradeway/shared/items/changeEvents';
import { auditQuiz } from './auditQuiz.ts';
import type { QuizDependencies } from './createQuiz.ts';
import { publishedQuiz } from './quiz.ts';

/** Deletes a quiz. Its submissions remain and can still be graded. */
export function deleteQuiz(
  { sequelize, quizzes, outbox, audit }: Pick<QuizDependencies, 'sequelize' | 'quizzes' | 'outbox' | 'audit'>,
  id: number,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await quizzes.lock(id, transaction);
    if (!before) throw notFound();
    const deleted = await quizzes.delete(before, transaction);
    await outbox.add(changeEvents('quiz', publishedQuiz(before), publishedQuiz(deleted, true)), transaction);
    await auditQuiz(audit, 'quiz.deleted', before, null, transaction);
  });
}
