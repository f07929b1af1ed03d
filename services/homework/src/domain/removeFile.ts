import { inTransaction } from '@gradeway/shared/database/connection';
import type { FileLibrary } from '@gradeway/shared/files/fileLibrary';
import type { Sequelize } from 'sequelize';
import type { SubmissionRepository } from '../data/submissionRepository.ts';
import { homeworkNotFound } from './homework.ts';

interface Dependencies {
  sequelize: Sequelize;
  submissions: SubmissionRepository;
  files: FileLibrary;
}

/** Removes one file of a submission, for one sent by mistake (D44): also one that a later upload replaced. */
export function removeFile(
  { sequelize, submissions, files }: Dependencies,
  submissionId: number,
  fileId: number,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    if (!(await submissions.removeFile(submissionId, fileId, transaction))) throw homeworkNotFound();
    await files.remove([fileId], transaction);
  });
}
