import type { QuizService, Scene } from './quizService.ts';

/** Changes the settings of a quiz in the database, as SQL: `anonymous = true`. */
export const setSettings = (quiz: QuizService, { quizId }: Pick<Scene, 'quizId'>, settings: string) =>
  quiz.database.query(`UPDATE quiz.quizzes SET ${settings} WHERE id = $1`, [quizId]);

export const makeAnonymous = (quiz: QuizService, scene: Pick<Scene, 'quizId'>) =>
  setSettings(quiz, scene, "release = 'manual', anonymous = true");

/** Enrolls a student in a course, as paid unless specified otherwise. */
export function enroll(
  quiz: QuizService,
  courseId: number,
  userId: number,
  { firstName = 'Ada', lastName = `Student ${userId}`, paid = true } = {},
): number {
  const account = { firstName, lastName, email: `${userId}@school.example` };
  quiz.peers.users.push({ userId, ...account, role: 'user', isBlocked: false, revision: 1 });
  quiz.peers.enrollments.set(`${userId}/${courseId}`, { paid });
  return userId;
}
