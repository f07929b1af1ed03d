import { invalid, notFound } from '@gradeway/shared/errors/appError';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import type { QuizDependencies } from './createQuiz.ts';
import type { Quiz, QuizProperties } from './quiz.ts';

/** Changes the given properties of a quiz. A new question PDF replaces the old one. */
export async function changeQuiz(
  dependencies: QuizDependencies,
  id: number,
  changes: Partial<QuizProperties>,
  received: ReceivedFile[],
): Promise<Quiz> {
  const { quizzes, courses, files } = dependencies;
  if (changes.courseId !== undefined && !(await courses.exists(changes.courseId))) throw notFound();
  return withStoredFiles(dependencies, received, async ([file], transaction) => {
    const before = await quizzes.lock(id, transaction);
    if (!before) throw notFound();
    requireOpensBeforeCloses({ ...before, ...changes });
    if (!file && Object.keys(changes).length === 0) return before;
    if (!file) return quizzes.update(id, changes, transaction);
    if (before.questionsFileId) await files.remove([before.questionsFileId], transaction);
    return quizzes.update(id, { ...changes, questionsFileId: file.id }, transaction);
  });
}

/** @throws AppError `invalid` when a quiz would close before it opens, or at the same time */
export function requireOpensBeforeCloses({
  opensAt,
  closesAt,
}: Pick<QuizProperties, 'opensAt' | 'closesAt'>): void {
  if (opensAt && closesAt && closesAt <= opensAt)
    throw invalid({ closes_at: ['The closes at must be a date after opens at.'] });
}
