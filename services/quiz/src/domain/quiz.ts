import type { ItemSettings } from '@gradeway/shared/items/item';
import type { PublishedItem } from '@gradeway/shared/items/itemEvents';
import type { ManagedItem } from '@gradeway/shared/items/managedItem';
import type { AllowedTimes } from '@gradeway/shared/items/ownTimes';
import type { WithQuestions } from '@gradeway/shared/questions/listedQuestions';

/** A PDF quiz of a course. Its settings include its own time limits (D26), null for no limit. */
export interface Quiz extends ItemSettings {
  id: number;
  courseId: number;
  title: string;
  questionsCount: number | null;
  totalGrade: number | null;
  durationMinutes: number | null;
  questionsFileId: number | null;
  createdAt: Date;
  /** Incremented by each published change. */
  revision: number;
}

/** A quiz, with the allowance of a student for it. */
interface OwnQuiz extends Quiz, AllowedTimes {}

/** A quiz in a student's list. */
export interface ListedQuiz extends OwnQuiz, WithQuestions {}

/** A quiz with the stored state of the student who is uploading an answer sheet. */
export interface QuizOfStudent extends OwnQuiz {
  /** When the student first opened the question PDF; null if that was not recorded. */
  recordedStartAt: Date | null;
  /** Whether the projection of users contains the student. */
  isStudentKnown: boolean;
}

/** The properties that administrators and teachers set. */
export type QuizProperties = Omit<Quiz, 'id' | 'createdAt' | 'questionsFileId' | 'revision' | 'releasedAt'>;

/** A quiz as its teachers manage it. */
export const managedQuiz = ({ questionsFileId, ...quiz }: Quiz): ManagedItem => ({
  ...quiz,
  description: null,
  fileId: questionsFileId,
});

/** A quiz as events describe it. */
export const publishedQuiz = (quiz: Quiz, isDeleted = false): PublishedItem => ({ ...quiz, isDeleted });
