import { invalid, notFound } from '@gradeway/shared/errors/appError';
import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import { auditQuiz } from './auditQuiz.ts';
import type { QuestionUpload, QuizDependencies } from './createQuiz.ts';
import type { Quiz, QuizProperties } from './quiz.ts';

/** Changes the given properties of a quiz. A new question PDF replaces the old one. */
export async function changeQuiz(
  dependencies: QuizDependencies,
  id: number,
  changes: Partial<QuizProperties>,
  upload: QuestionUpload,
): Promise<Quiz> {
  const { quizzes, courses, files, pdf, audit } = dependencies;
  if (changes.courseId !== undefined && !(await courses.exists(changes.courseId))) throw notFound();
  await requirePdfs(pdf, 'file', upload.files, upload.userId);
  return withStoredFiles(dependencies, upload.files, async ([file], transaction) => {
    const before = await quizzes.lock(id, transaction);
    if (!before) throw notFound();
    requireOpensBeforeCloses({ ...before, ...changes });
    if (!file && Object.keys(changes).length === 0) return before;
    if (file && before.questionsFileId) await files.remove([before.questionsFileId], transaction);
    const values = file ? { ...changes, questionsFileId: file.id } : changes;
    const after = await quizzes.update(id, values, transaction);
    await auditQuiz(audit, 'quiz.updated', before, after, transaction);
    return after;
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
