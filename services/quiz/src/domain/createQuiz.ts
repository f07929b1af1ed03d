import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { FileLibrary } from '@gradeway/shared/files/fileLibrary';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
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

/** Makes a quiz of an existing course, with its question PDF if there is one. */
export async function createQuiz(
  { sequelize, quizzes, courses, files }: QuizDependencies,
  properties: QuizProperties,
  received: ReceivedFile[],
): Promise<Quiz> {
  if (!(await courses.exists(properties.courseId))) throw notFound();
  const kept = await files.storePending(received);
  try {
    return await inTransaction(sequelize, async (transaction) => {
      await files.attach(kept, transaction);
      return quizzes.create({ ...properties, questionsFileId: kept[0]?.id ?? null }, transaction);
    });
  } catch (error) {
    await files.discard(kept);
    throw error;
  }
}
