import { AppError, invalid, notFound } from '@gradeway/shared/errors/appError';
import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import { quizChanged } from '../events/quizEvents.ts';
import { auditQuiz } from './auditQuiz.ts';
import { type QuestionUpload, type QuizDependencies, requireCourse } from './createQuiz.ts';
import type { Quiz, QuizProperties } from './quiz.ts';

/**
 * Changes the given properties of a quiz. A new question PDF replaces the old one.
 * @throws AppError `conflict` when a quiz that has submissions would move to another course (D58)
 */
export async function changeQuiz(
  dependencies: QuizDependencies,
  id: number,
  changes: Partial<QuizProperties>,
  upload: QuestionUpload,
): Promise<Quiz> {
  const { quizzes, courses, files, pdf, outbox, audit } = dependencies;
  if (changes.courseId !== undefined) await requireCourse(courses, changes.courseId);
  await requirePdfs(pdf, 'file', upload.files, upload.userId);
  return withStoredFiles(dependencies, upload.files, async ([file], transaction) => {
    const before = await quizzes.lock(id, transaction);
    if (!before) throw notFound();
    const wanted = { ...before, ...changes };
    requireOpensBeforeCloses(wanted);
    if (wanted.courseId !== before.courseId && (await quizzes.hasSubmissions(id, transaction)))
      throw new AppError('conflict', 'Submissions exist');
    if (!file && Object.keys(changes).length === 0) return before;
    if (file && before.questionsFileId) await files.remove([before.questionsFileId], transaction);
    const isPublished = wanted.title !== before.title || wanted.courseId !== before.courseId;
    const values = {
      ...changes,
      ...(file && { questionsFileId: file.id }),
      ...(isPublished && { revision: before.revision + 1 }),
    };
    const after = await quizzes.update(id, values, transaction);
    if (isPublished) await outbox.add(quizChanged(after), transaction);
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
    throw invalid({ closes_at: ['The closing time must be after the opening time.'] });
}
