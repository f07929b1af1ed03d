import { changesOf } from '@gradeway/shared/audit/changesOf';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { UseCases } from './dependencies.ts';
import { homeworkNotFound } from './homework.ts';

type Dependencies = Pick<UseCases, 'sequelize' | 'submissions' | 'files' | 'audit'>;

/** Removes a file that was submitted by mistake (D44), even if a later upload has replaced it. */
export function removeSubmissionFile(
  { sequelize, submissions, files, audit }: Dependencies,
  submissionId: number,
  fileId: number,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    if (!(await submissions.removeFile(submissionId, fileId, transaction))) throw homeworkNotFound();
    await files.remove([fileId], transaction);
    const object = { type: 'homework_submission' as const, id: submissionId };
    const changes = changesOf({ fileId }, null, ['fileId']);
    await audit.record({ action: 'homework.file_removed', object, changes }, transaction);
  });
}
