import type { Transaction } from 'sequelize';
import { AppError } from '../errors/appError.ts';
import type { Outbox } from '../events/outbox.ts';
import type { GradedKind } from '../grading/gradedKind.ts';
import type { GradeWriter } from '../grading/gradeWriter.ts';
import { areGradesVisible } from './item.ts';
import type { ReleaseRepository } from './releaseRepository.ts';

interface Dependencies {
  outbox: Outbox;
  grading: { kind: Pick<GradedKind, 'ungradedEvent'>; writer: GradeWriter; releases: ReleaseRepository };
}

/**
 * Requires that a student may replace the files of a submission that is graded and locked (D27): only while the grade
 * is hidden from the student. When the files are replaced, the submission becomes ungraded, and its history keeps the
 * grading. A concurrent release either precedes the upload, which is then rejected, or follows it and shows no grade.
 * @throws AppError `conflict`
 */
export async function replaceGraded(
  { outbox, grading: { kind, writer, releases } }: Dependencies,
  graded: Parameters<GradedKind['ungradedEvent']>[0],
  becomeCurrent: boolean,
  transaction: Transaction,
): Promise<void> {
  if (areGradesVisible(await releases.lockShared(graded.itemId, transaction)))
    throw new AppError('conflict', 'Submission already graded', { reason: 'graded' });
  if (!becomeCurrent) return;
  await writer.clear(graded.id, transaction);
  await outbox.add(kind.ungradedEvent({ ...graded, revision: graded.revision + 1 }), transaction);
}
