import type { Transaction } from 'sequelize';
import type { FileLibrary } from '../files/fileLibrary.ts';

interface Dependencies {
  submissions: {
    olderReplacedFiles(id: number, newest: number, transaction: Transaction): Promise<number[]>;
  };
  files: FileLibrary;
  replacedFilesKept: number;
}

/** Deletes the bytes of a submission's replaced files, except those of the newest ones. */
export async function reduceReplacedFiles(
  { submissions, files, replacedFilesKept }: Dependencies,
  submissionId: number,
  transaction: Transaction,
): Promise<void> {
  const older = await submissions.olderReplacedFiles(submissionId, replacedFilesKept, transaction);
  await files.reduce(older, transaction);
}
