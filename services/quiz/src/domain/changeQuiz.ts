import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid, notFound } from '@gradeway/shared/errors/appError';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import type { QuizDependencies } from './createQuiz.ts';
import type { Quiz, QuizProperties } from './quiz.ts';

/** Changes what is given of a quiz. A new question PDF takes the place of the old one. */
export async function changeQuiz(
  { sequelize, quizzes, courses, files }: QuizDependencies,
  id: number,
  changes: Partial<QuizProperties>,
  received: ReceivedFile[],
): Promise<Quiz> {
  if (changes.courseId !== undefined && !(await courses.exists(changes.courseId))) throw notFound();
  const kept = await files.storePending(received);
  try {
    return await inTransaction(sequelize, async (transaction) => {
      const before = await quizzes.lock(id, transaction);
      if (!before) throw notFound();
      requireOrder({ ...before, ...changes });
      const [file] = kept;
      if (!file && Object.keys(changes).length === 0) return before;
      if (!file) return quizzes.update(id, changes, transaction);
      await files.attach(kept, transaction);
      if (before.questionsFileId) await files.remove([before.questionsFileId], transaction);
      return quizzes.update(id, { ...changes, questionsFileId: file.id }, transaction);
    });
  } catch (error) {
    await files.discard(kept);
    throw error;
  }
}

/** A quiz closes after it opens. */
export function requireOrder({ opensAt, closesAt }: Pick<QuizProperties, 'opensAt' | 'closesAt'>): void {
  if (opensAt && closesAt && closesAt <= opensAt)
    throw invalid({ closes_at: ['The closes at must be a date after opens at.'] });
}
