import { AppError, invalid, notFound } from '@gradeway/shared/errors/appError';
import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import { ChangedMeanwhile } from '@gradeway/shared/grading/changedMeanwhile';
import { isExpected } from '@gradeway/shared/grading/entityTags';
import { auditVisibility } from '@gradeway/shared/items/auditVisibility';
import { changeEvents } from '@gradeway/shared/items/changeEvents';
import { itemTag } from '@gradeway/shared/items/managedItem';
import type { ItemUpload } from '@gradeway/shared/items/managedKind';
import { releasedAtAfter } from '@gradeway/shared/items/releasedAtAfter';
import { requireConsistent } from '@gradeway/shared/items/requireConsistent';
import type { Transaction } from 'sequelize';
import { auditQuiz, hasChanged } from './auditQuiz.ts';
import { type QuizDependencies, requireCourse } from './createQuiz.ts';
import { managedQuiz, publishedQuiz, type Quiz, type QuizProperties } from './quiz.ts';

export type QuizChanges = Partial<QuizProperties> & {
  /** Removes the question PDF. */
  clearsFile?: boolean;
};

/**
 * Changes the given properties of a quiz. A new question PDF replaces the old one.
 * @throws ChangedMeanwhile when the quiz is not in an expected state
 * @throws AppError `conflict` when a quiz that has submissions would move to another course (D58), or become a draft
 */
export async function changeQuiz(
  dependencies: QuizDependencies,
  id: number,
  { clearsFile = false, ...changes }: QuizChanges,
  upload: ItemUpload,
  expected: string[] | 'any' = 'any',
): Promise<Quiz> {
  const { quizzes, courses, files, pdf, outbox, audit } = dependencies;
  if (changes.courseId !== undefined) await requireCourse(courses, changes.courseId);
  await requirePdfs(pdf, 'file', upload.files, upload.userId);
  return withStoredFiles(dependencies, upload.files, async ([file], transaction) => {
    const before = await quizzes.lock(id, transaction);
    if (!before) throw notFound();
    const { questionsFileId: earlierId } = before;
    const questionsFileId = file?.id ?? (clearsFile ? null : earlierId);
    const values = { ...changes, questionsFileId, ...releasedAtAfter(before, changes, new Date()) };
    const wanted = { ...before, ...values };
    requireConsistent(wanted);
    if (wanted.totalGrade !== before.totalGrade) await requireOwnTotal(dependencies, id, transaction);
    if (!isExpected(expected, itemTag(managedQuiz(before)))) throw new ChangedMeanwhile(before);
    await requireMovable(dependencies, before, wanted, transaction);
    if (!hasChanged(before, wanted)) return before;
    if (earlierId !== null && earlierId !== questionsFileId) await files.remove([earlierId], transaction);
    const after = await quizzes.update(id, { ...values, revision: before.revision + 1 }, transaction);
    const states = [publishedQuiz(before), publishedQuiz(after)] as const;
    await outbox.add(changeEvents('quiz', ...states), transaction);
    await auditQuiz(audit, 'quiz.updated', before, after, transaction);
    await auditVisibility(audit, 'quiz', ...states, transaction);
    return after;
  });
}

async function requireOwnTotal(
  { quizzes }: Pick<QuizDependencies, 'quizzes'>,
  id: number,
  transaction: Transaction,
): Promise<void> {
  if (await quizzes.hasQuestions(id, transaction))
    throw invalid({ total_grade: ['The total grade is the total of the questions.'] });
}

async function requireMovable(
  { quizzes }: Pick<QuizDependencies, 'quizzes'>,
  before: Quiz,
  wanted: QuizProperties,
  transaction: Transaction,
): Promise<void> {
  const isTakenAway = wanted.courseId !== before.courseId || (before.published && !wanted.published);
  if (isTakenAway && (await quizzes.hasSubmissions(before.id, transaction)))
    throw new AppError('conflict', 'Submissions exist', { reason: 'has_submissions' });
}
