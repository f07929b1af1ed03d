import { notFound } from '@gradeway/shared/errors/appError';
import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import { auditVisibility } from '@gradeway/shared/items/auditVisibility';
import { changeEvents } from '@gradeway/shared/items/changeEvents';
import type { ItemUpload } from '@gradeway/shared/items/managedKind';
import { releasedAtAfter } from '@gradeway/shared/items/releasedAtAfter';
import { requireConsistent } from '@gradeway/shared/items/requireConsistent';
import type { Transaction } from 'sequelize';
import { auditQuiz } from './auditQuiz.ts';
import type { UseCases } from './dependencies.ts';
import { publishedQuiz, type Quiz, type QuizProperties } from './quiz.ts';

export type QuizDependencies = Pick<
  UseCases,
  'sequelize' | 'quizzes' | 'courses' | 'files' | 'pdf' | 'outbox' | 'audit'
>;

/** @throws AppError `not_found` for a course that does not exist */
export async function requireCourse(courses: UseCases['courses'], courseId: number): Promise<void> {
  const [course] = await courses.courses([courseId]);
  if (!course) throw notFound();
}

/**
 * Creates a quiz for an existing course, with its question PDF if there is one.
 * @param addTo adds further records to the new quiz, in the same transaction
 */
export async function createQuiz(
  dependencies: QuizDependencies,
  properties: QuizProperties,
  { files, userId }: ItemUpload,
  addTo: (quiz: Quiz, transaction: Transaction) => Promise<void> = async () => {},
): Promise<Quiz> {
  const { courses, quizzes, pdf, outbox, audit } = dependencies;
  const isHidden = { release: properties.release, releaseAt: null, releasedAt: null, anonymous: false };
  const values = { ...properties, ...releasedAtAfter(isHidden, properties, new Date()) };
  requireConsistent(values);
  await requireCourse(courses, properties.courseId);
  await requirePdfs(pdf, 'file', files, userId);
  return withStoredFiles(dependencies, files, async ([file], transaction) => {
    const quiz = await quizzes.create({ ...values, questionsFileId: file?.id ?? null }, transaction);
    await outbox.add(changeEvents('quiz', null, publishedQuiz(quiz)), transaction);
    await auditQuiz(audit, 'quiz.created', null, quiz, transaction);
    await auditVisibility(audit, 'quiz', null, publishedQuiz(quiz), transaction);
    await addTo(quiz, transaction);
    return quiz;
  });
}
