import { inTransaction } from '@gradeway/shared/database/connection';
import type { FileLibrary } from '@gradeway/shared/files/fileLibrary';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import type { Sequelize } from 'sequelize';
import type { CoursesClient } from '../clients/coursesClient.ts';
import type { HomeworkRepository } from '../data/homeworkRepository.ts';
import type { ProjectionRepository } from '../data/projectionRepository.ts';
import { type AssignmentProperties, homeworkNotFound } from './homework.ts';
import { primeClassProjection } from './primeClassProjection.ts';

interface Dependencies {
  sequelize: Sequelize;
  homeworks: HomeworkRepository;
  projections: ProjectionRepository;
  courses: CoursesClient;
  files: FileLibrary;
}

export type AssignmentChanges = Partial<AssignmentProperties> & {
  /** The assignment shall have no PDF any more. */
  clearsFile?: boolean;
};

/**
 * Gives a class its assignment, or changes what is given of it. One that was removed comes back as it was, with its
 * submissions. A new PDF takes the place of the old one. Returns whether the class had no assignment before.
 */
export async function setAssignment(
  dependencies: Dependencies,
  classId: number,
  { clearsFile = false, ...changes }: AssignmentChanges,
  received: ReceivedFile[],
): Promise<{ created: boolean }> {
  const { sequelize, homeworks, files } = dependencies;
  if (!(await primeClassProjection(dependencies, classId))) throw homeworkNotFound();
  const kept = await files.storePending(received);
  try {
    return await inTransaction(sequelize, async (transaction) => {
      const before = await homeworks.lockClass(classId, transaction);
      // Courses still knew the class, but its event that it is gone was faster.
      if (!before || before.isDeleted) throw homeworkNotFound();
      const [file] = kept;
      await files.attach(kept, transaction);
      const fileId = file?.id ?? (clearsFile ? null : before.assignment.fileId);
      await homeworks.setAssignment(classId, { ...before.assignment, ...changes, fileId }, transaction);
      const { fileId: earlier } = before.assignment;
      if (earlier !== null && earlier !== fileId) await files.remove([earlier], transaction);
      return { created: !before.hasAssignment };
    });
  } catch (error) {
    await files.discard(kept);
    throw error;
  }
}
