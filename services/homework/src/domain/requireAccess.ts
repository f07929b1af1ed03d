import { AppError } from '@gradeway/shared/errors/appError';
import type { UseCases } from './dependencies.ts';
import { type HomeworkOfStudent, homeworkNotFound } from './homework.ts';
import type { Upload } from './submission.ts';

type Dependencies = Pick<UseCases, 'courses' | 'homeworks'>;

/**
 * Finds homework to which a student has access. The order of the checks determines which error is returned, as for a
 * quiz (D25).
 * @throws AppError `not_found`, or `forbidden` when not enrolled or not paid
 */
export async function requireAccess(
  { courses, homeworks }: Dependencies,
  { classId, studentId }: Pick<Upload, 'classId' | 'studentId'>,
): Promise<HomeworkOfStudent> {
  const homework = await homeworks.findForStudent(classId, studentId);
  if (!homework) throw homeworkNotFound();
  const { courseId } = homework;
  const access = await courses.checkAccess({ userId: studentId, courseId, classId });
  if (!access.classExists) throw homeworkNotFound();
  if (!access.enrolled || !access.paid)
    throw new AppError('forbidden', 'PayFirstToAccessTheCourse', { reason: 'course_unpaid' });
  return homework;
}
