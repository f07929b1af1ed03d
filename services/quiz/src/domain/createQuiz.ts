import { notFound } from '@gradeway/shared/errors/appError';
import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import { quizChanged } from '../events/quizEvents.ts';
import { auditQuiz } from './auditQuiz.ts';
import type { UseCases } from './dependencies.ts';
import type { Quiz, QuizProperties } from './quiz.ts';

export type QuizDependencies = Pick<
  UseCases,
  'sequelize' | 'quizzes' | 'courses' | 'files' | 'pdf' | 'outbox' | 'audit'
>;

/** The question PDF of a quiz, if there is one, and the administrator who uploads it. */
export interface QuestionUpload {
  files: ReceivedFile[];
  userId: number;
}

/** @throws AppError `not_found` for a course that does not exist */
export async function requireCourse(courses: UseCases['courses'], courseId: number): Promise<void> {
  const [course] = await courses.courses([courseId]);
  if (!course) throw notFound();
}

/** Creates a quiz for an existing course, with its question PDF if there is one. */
export async function createQuiz(
  dependencies: QuizDependencies,
  properties: QuizProperties,
  { files, userId }: QuestionUpload,
): Promise<Quiz> {
  const { courses, quizzes, pdf, outbox, audit } = dependencies;
  await requireCourse(courses, properties.courseId);
  await requirePdfs(pdf, 'file', files, userId);
  return withStoredFiles(dependencies, files, async ([file], transaction) => {
    const quiz = await quizzes.create({ ...properties, questionsFileId: file?.id ?? null }, transaction);
    await outbox.add(quizChanged(quiz), transaction);
    await auditQuiz(audit, 'quiz.created', null, quiz, transaction);
    return quiz;
  });
}
