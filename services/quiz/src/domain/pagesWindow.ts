import { AppError, notFound } from '@gradeway/shared/errors/appError';
import { ownTimes } from '@gradeway/shared/items/ownTimes';
import type { PersonalTimes } from '@gradeway/shared/items/personalTimes';
import { pagesGraceMs } from '@gradeway/shared/questions/pages/ownPagesRoutes';
import { timeFactorOf } from '@gradeway/shared/submissions/coursesClient';
import { periodAt } from '@gradeway/shared/submissions/submissionPeriod';
import type { AnswerSheet } from './answerSheet.ts';
import type { UseCases } from './dependencies.ts';
import { deadlineOf, trustedAttempt } from './submissionWindow.ts';

type Attempt = Pick<AnswerSheet, 'startAt' | 'durationMinutes'>;

interface OwnSubmission {
  id: number;
  itemId: number;
  studentId: number;
  /** The staff member who handed in for the student; null if the student did. */
  submittedBy: number | null;
}

/**
 * Requires that a student may still assign the pages of a sheet to answers: until a few minutes after their own closing
 * time or the end of their attempt, whichever is earlier.
 * @throws AppError `not_found` for a removed quiz, 403 `QuizDurationExpired`
 */
export async function requireWithinPagesWindow(
  { quizzes, submissions, courses, trustClientClock }: UseCases,
  { id, itemId, studentId, submittedBy }: OwnSubmission,
  at: Date,
): Promise<void> {
  const quiz = await quizzes.findForStudent(itemId, studentId);
  if (!quiz) throw notFound();
  const { courseId, recordedStartAt } = quiz;
  const access = await courses.checkAccess({ userId: studentId, courseId, classId: null });
  const times = ownTimes(quiz, timeFactorOf(access));
  const claimed = await submissions.attemptOf(id);
  // A sheet that staff hand in belongs to no attempt.
  const isAttempt = submittedBy === null || recordedStartAt !== null;
  const attempt = trustClientClock ? claimed : trustedAttempt(claimed, recordedStartAt, times);
  const period = { opensAt: times.opensAt, closesAt: pagesEnd(isAttempt ? attempt : null, times) };
  if (periodAt(period, at).state !== 'open')
    throw new AppError('forbidden', 'QuizDurationExpired', { reason: 'deadline_passed' });
}

/** The deadline for assigning the pages of an attempt, or of a sheet without an attempt; null for no limit. */
function pagesEnd(attempt: Attempt | null, times: PersonalTimes): Date | null {
  const end = attempt ? deadlineOf(attempt, times) : times.closesAt;
  return end && new Date(end.getTime() + pagesGraceMs);
}
