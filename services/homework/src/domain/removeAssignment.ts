import { inTransaction } from '@gradeway/shared/database/connection';
import type { UseCases } from './dependencies.ts';
import { homeworkNotFound } from './homework.ts';

type Dependencies = Pick<UseCases, 'sequelize' | 'homeworks' | 'audit'>;

/** Removes the assignment of a class. Its submissions remain. */
export function removeAssignment(
  { sequelize, homeworks, audit }: Dependencies,
  classId: number,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    if (!(await homeworks.removeAssignment(classId, transaction))) throw homeworkNotFound();
    await audit.record(
      { action: 'assignment.deleted', object: { type: 'assignment', id: classId } },
      transaction,
    );
  });
}
