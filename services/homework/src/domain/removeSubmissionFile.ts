import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { FileLibrary } from '@gradeway/shared/files/fileLibrary';
import type { Sequelize } from 'sequelize';
import type { SubmissionRepository } from '../data/submissionRepository.ts';
import { homeworkNotFound } from './homework.ts';

interface Dependencies {
  sequelize: Sequelize;
  submissions: SubmissionRepository;
  files: FileLibrary;
  audit: AuditTrail;
}

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
