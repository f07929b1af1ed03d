import type { CloudEvent } from '@gradeway/shared/events/cloudEvent';
import { itemChanged } from '@gradeway/shared/items/itemEvents';
import { publishedQuiz, type Quiz } from '../domain/quiz.ts';

/** The event with the current state of a quiz. */
export const quizChanged = ({ isDeleted, ...quiz }: Quiz & { isDeleted: boolean }): CloudEvent =>
  itemChanged('quiz', publishedQuiz(quiz, isDeleted));
