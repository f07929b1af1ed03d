import { notFound } from '@gradeway/shared/errors/appError';
import type { FileLibrary } from '@gradeway/shared/files/fileLibrary';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import type { Sequelize } from 'sequelize';
import type { CoursesClient } from '../clients/coursesClient.ts';
import type { QuizRepository } from '../data/quizRepository.ts';
import type { Quiz, QuizProperties } from './quiz.ts';

export interface QuizDependencies {
  sequelize: Sequelize;
  quizzes: QuizRepository;
  courses: CoursesClient;
  files: FileLibrary;
}

/** Creates a quiz for an existing course, with its question PDF if there is one. */
export async function createQuiz(
  dependencies: QuizDependencies,
  properties: QuizProperties,
  received: ReceivedFile[],
): Promise<Quiz> {
  const { courses, quizzes } = dependencies;
  if (!(await courses.exists(properties.courseId))) throw notFound();
  return withStoredFiles(dependencies, received, ([file], transaction) =>
    quizzes.create({ ...properties, questionsFileId: file?.id ?? null }, transaction),
  );
}
