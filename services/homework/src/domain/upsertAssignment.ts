import { requirePdfs } from '@gradeway/shared/files/pdfErrors';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import { withStoredFiles } from '@gradeway/shared/files/withStoredFiles';
import { auditAssignment } from './auditAssignment.ts';
import type { UseCases } from './dependencies.ts';
import { type AssignmentProperties, homeworkNotFound } from './homework.ts';
import { primeClassProjection } from './primeClassProjection.ts';

export type AssignmentChanges = Partial<AssignmentProperties> & {
  /** Removes the PDF of the assignment. */
  clearsFile?: boolean;
};

/** The PDF of an assignment, if there is one, and the administrator who uploads it. */
interface AssignmentUpload {
  files: ReceivedFile[];
  userId: number;
}

/**
 * Creates the assignment of a class, or changes the given properties of it. Restores a removed assignment with its
 * submissions. A new PDF replaces the old one. `created` is true if the class had no assignment before.
 */
export async function upsertAssignment(
  dependencies: UseCases,
  classId: number,
  { clearsFile = false, ...changes }: AssignmentChanges,
  upload: AssignmentUpload,
): Promise<{ created: boolean }> {
  const { homeworks, files, pdf, audit } = dependencies;
  if (!(await primeClassProjection(dependencies, classId))) throw homeworkNotFound();
  await requirePdfs(pdf, 'file', upload.files, upload.userId);
  return withStoredFiles(dependencies, upload.files, async ([file], transaction) => {
    const before = await homeworks.lockClass(classId, transaction);
    // The event that deletes the class may have arrived after the response of courses.
    if (!before || before.isDeleted) throw homeworkNotFound();
    const { fileId: earlierId } = before.assignment;
    const fileId = file?.id ?? (clearsFile ? null : earlierId);
    const after = { ...before.assignment, ...changes, fileId };
    await homeworks.saveAssignment(classId, after, transaction);
    if (earlierId !== null && earlierId !== fileId) await files.remove([earlierId], transaction);
    await auditAssignment(
      audit,
      classId,
      before.hasAssignment ? before.assignment : null,
      after,
      transaction,
    );
    return { created: !before.hasAssignment };
  });
}
