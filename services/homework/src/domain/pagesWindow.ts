import { ownTimes } from '@gradeway/shared/items/ownTimes';
import { pagesGraceMs } from '@gradeway/shared/questions/pages/ownPagesRoutes';
import { requireWithinDeadline } from './deadline.ts';
import type { UseCases } from './dependencies.ts';
import { homeworkNotFound } from './homework.ts';

/**
 * Requires that a student may still assign the pages of their files to answers: until a few minutes after their own
 * closing time.
 * @throws AppError `not_found` for a removed assignment, 403 `HomeworkNotOpen` or `HomeworkDeadlineExpired`
 */
export async function requireWithinPagesWindow(
  { homeworks }: Pick<UseCases, 'homeworks'>,
  { itemId, studentId }: { itemId: number; studentId: number },
  at: Date,
): Promise<void> {
  const homework = await homeworks.findForStudent(itemId, studentId);
  if (!homework) throw homeworkNotFound();
  const times = ownTimes(homework);
  const end = times.closesAt && new Date(times.closesAt.getTime() + pagesGraceMs);
  requireWithinDeadline(at, { ...times, acceptedUntil: end });
}
