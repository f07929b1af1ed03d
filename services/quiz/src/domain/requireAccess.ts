import { AppError, invalid, notFound } from '@gradeway/shared/errors/appError';
import { ownTimes } from '@gradeway/shared/items/ownTimes';
import type { PersonalTimes } from '@gradeway/shared/items/personalTimes';
import { timeFactorOf } from '@gradeway/shared/submissions/coursesClient';
import type { AnswerSheet } from './answerSheet.ts';
import type { UseCases } from './dependencies.ts';
import type { QuizOfStudent } from './quiz.ts';

type Dependencies = Pick<UseCases, 'courses' | 'quizzes'>;

type Claim = Pick<AnswerSheet, 'studentId' | 'courseId' | 'quizId' | 'classId'>;

/** A quiz with the student's own times. */
export interface AccessibleQuiz extends QuizOfStudent {
  times: PersonalTimes;
}

/**
 * Finds a quiz for which a student may upload an answer sheet. The order of the checks determines which error is
 * returned (D25).
 * @throws AppError `not_found` for the course or the quiz, `invalid` for the class, `forbidden` when not enrolled or not
 * paid
 */
export async function requireAccess(
  { courses, quizzes }: Dependencies,
  claim: Claim,
): Promise<AccessibleQuiz> {
  const { studentId, courseId, classId } = claim;
  const [access, quiz] = await Promise.all([
    courses.checkAccess({ userId: studentId, courseId, classId }),
    quizzes.findForStudent(claim.quizId, studentId),
  ]);
  if (!access.courseExists) throw notFound('Course Not Found');
  if (!quiz || quiz.courseId !== courseId) throw notFound();
  if (classId !== null && !access.classExists)
    throw invalid({ class_id: ['The selected class id is invalid.'] });
  if (!access.enrolled || !access.paid)
    throw new AppError('forbidden', 'PayFirstToAccessTheCourse', { reason: 'course_unpaid' });
  return { ...quiz, times: ownTimes(quiz, timeFactorOf(access)) };
}
