import { notFound } from '@gradeway/shared/errors/appError';
import type { CopyFile } from '@gradeway/shared/files/copiedFile';
import type { GraderDependencies } from '@gradeway/shared/grading/dependencies';
import { copyRubric, settingsOfCopy } from '@gradeway/shared/items/copyItem';
import { copyOutline } from '@gradeway/shared/questions/outline/copyOutline';
import type { Transaction } from 'sequelize';
import { type AssignmentDependencies, upsertAssignment } from './upsertAssignment.ts';

interface Dependencies extends AssignmentDependencies {
  copyFile: CopyFile;
  grading: Pick<GraderDependencies, 'rubrics' | 'questionRubrics' | 'outlines' | 'outlined'>;
}

/** The destination class of a copy. */
export interface AssignmentTarget {
  classId: number;
}

/**
 * Copies the assignment of a class to another class, as a draft without times, with its PDF, its rubric and its questions.
 * Returns the id of the class.
 * @throws AppError `conflict` when the class has an assignment
 */
export async function copyAssignment(
  dependencies: Dependencies,
  id: number,
  { classId }: AssignmentTarget,
  userId: number,
): Promise<number> {
  const { homeworks, grading, audit, copyFile } = dependencies;
  const original = await homeworks.find(id);
  if (!original) throw notFound();
  const [rubric, outline] = [await grading.rubrics.find(id), await grading.outlines.find(id)];
  await using copied = await copyFile(original.fileId);
  const changes = {
    ...settingsOfCopy(original),
    description: original.description,
    clearsFile: original.fileId === null,
  };
  const addTo = async (transaction: Transaction) => {
    await copyRubric({ ...grading, audit }, rubric, { type: 'assignment', id: classId }, transaction);
    await copyOutline(grading, outline, classId, transaction);
  };
  await upsertAssignment(
    dependencies,
    classId,
    changes,
    { files: copied.files, userId },
    { requires: 'none', addTo },
  );
  return classId;
}
