import { notFound } from '@gradeway/shared/errors/appError';
import type { CopyFile } from '@gradeway/shared/files/copiedFile';
import type { GraderDependencies } from '@gradeway/shared/grading/dependencies';
import { copyRubric, settingsOfCopy } from '@gradeway/shared/items/copyItem';
import { copyOutline } from '@gradeway/shared/questions/outline/copyOutline';
import { createQuiz, type QuizDependencies } from './createQuiz.ts';

interface Dependencies extends QuizDependencies {
  copyFile: CopyFile;
  grading: Pick<GraderDependencies, 'rubrics' | 'questionRubrics' | 'outlines' | 'outlined'>;
}

/** Where a copy goes. It keeps the original title unless a new one is given. */
export interface QuizTarget {
  courseId: number;
  title?: string | undefined;
}

/** Copies a quiz as a draft without times, with its question PDF, its rubric and its questions. Returns the id of the copy. */
export async function copyQuiz(
  dependencies: Dependencies,
  id: number,
  { courseId, title }: QuizTarget,
  userId: number,
): Promise<number> {
  const { quizzes, grading, audit, copyFile } = dependencies;
  const original = await quizzes.find(id);
  if (!original) throw notFound();
  const [rubric, outline] = [await grading.rubrics.find(id), await grading.outlines.find(id)];
  const { questionsCount, totalGrade, durationMinutes } = original;
  const properties = {
    ...{ courseId, title: title ?? original.title, questionsCount, totalGrade, durationMinutes },
    ...settingsOfCopy(original),
  };
  await using copied = await copyFile(original.questionsFileId);
  const upload = { files: copied.files, userId };
  const copy = await createQuiz(dependencies, properties, upload, async (quiz, transaction) => {
    await copyRubric({ ...grading, audit }, rubric, { type: 'quiz', id: quiz.id }, transaction);
    await copyOutline(grading, outline, quiz.id, transaction);
  });
  return copy.id;
}
