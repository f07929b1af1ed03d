import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Sequelize } from 'sequelize';
import type { HomeworkRepository } from '../data/homeworkRepository.ts';
import { homeworkNotFound } from './homework.ts';

interface Dependencies {
  sequelize: Sequelize;
  homeworks: HomeworkRepository;
  audit: AuditTrail;
}

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
