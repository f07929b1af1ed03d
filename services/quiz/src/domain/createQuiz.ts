import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { FileLibrary } from '@gradeway/shared/files/fileLibrary';
import type { PdfChecker } from '@gradeway/shared/files/pdfChecker';
import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import type { Sequelize } from 'sequelize';
import type { CoursesClient } from '../clients/coursesClient.ts';
import type { QuizRepository } from '../data/quizRepository.ts';
import { quizChanged } from '../events/quizChanged.ts';
import { auditQuiz } from './auditQuiz.ts';
import type { Quiz, QuizProperties } from './quiz.ts';

export interface QuizDependencies {
  sequelize: Sequelize;
  quizzes: QuizRepository;
  courses: CoursesClient;
  files: FileLibrary;
  pdf: PdfChecker;
  outbox: Outbox;
  audit: AuditTrail;
}

/** The question PDF of a quiz, if there is one, and the administrator who uploads it. */
export interface QuestionUpload {
  files: ReceivedFile[];
  userId: number;
}

/** Creates a quiz for an existing course, with its question PDF if there is one. */
export async function createQuiz(
  dependencies: QuizDependencies,
  properties: QuizProperties,
  { files, userId }: QuestionUpload,
): Promise<Quiz> {
  const { courses, quizzes, pdf, outbox, audit } = dependencies;
  if (!(await courses.exists(properties.courseId))) throw notFound();
  await requirePdfs(pdf, 'file', files, userId);
  return withStoredFiles(dependencies, files, async ([file], transaction) => {
    const quiz = await quizzes.create({ ...properties, questionsFileId: file?.id ?? null }, transaction);
    await outbox.add(quizChanged(quiz), transaction);
    await auditQuiz(audit, 'quiz.created', null, quiz, transaction);
    return quiz;
  });
}
