import { type CloudEvent, createEvent } from '@gradeway/shared/events/cloudEvent';
import type { Quiz } from '../domain/quiz.ts';

/** The event with the current title and course of a quiz. */
export const quizChanged = ({ id, courseId, title, revision }: Quiz): CloudEvent =>
  createEvent('quiz', 'quiz.changed.v1', `quizzes/${id}`, { id, course_id: courseId, title, revision });
