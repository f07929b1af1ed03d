import { notFound } from '@gradeway/shared/errors/appError';
import type { CopyFile } from '@gradeway/shared/files/copiedFile';
import type { GraderDependencies } from '@gradeway/shared/grading/dependencies';
import { copyRubric, settingsOfCopy } from '@gradeway/shared/items/copyItem';
import { type AssignmentDependencies, upsertAssignment } from './upsertAssignment.ts';

interface Dependencies extends AssignmentDependencies {
  copyFile: CopyFile;
  rubrics: GraderDependencies['rubrics'];
}

/** The class that a copy goes to. */
export interface AssignmentTarget {
  classId: number;
}

/**
 * Copies the assignment of a class to another class, as a draft without times, with its PDF and its rubric. Returns the id of the
 * class.
 * @throws AppError `conflict` when the class has an assignment
 */
export async function copyAssignment(
  dependencies: Dependencies,
  id: number,
  { classId }: AssignmentTarget,
  userId: number,
): Promise<number> {
  const { homeworks, rubrics, copyFile } = dependencies;
  const original = await homeworks.find(id);
  if (!original) throw notFound();
  const rubric = await rubrics.find(id);
  await using copied = await copyFile(original.fileId);
  const changes = {
    ...settingsOfCopy(original),
    description: original.description,
    clearsFile: original.fileId === null,
  };
  await upsertAssignment(
    dependencies,
    classId,
    changes,
    { files: copied.files, userId },
    {
      requires: 'none',
      addTo: (transaction) =>
        copyRubric(dependencies, rubric, { type: 'assignment', id: classId }, transaction),
    },
  );
  return classId;
}
