import { inTransaction } from '@gradeway/shared/database/connection';
import { changeEvents } from '@gradeway/shared/items/changeEvents';
import type { UseCases } from './dependencies.ts';
import { homeworkNotFound, publishedHomework } from './homework.ts';

type Dependencies = Pick<UseCases, 'sequelize' | 'homeworks' | 'outbox' | 'audit'>;

/** Removes the assignment of a class. Its submissions remain. */
export function removeAssignment(
  { sequelize, homeworks, outbox, audit }: Dependencies,
  classId: number,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const found = await homeworks.lockClass(classId, transaction);
    if (!found?.hasAssignment || found.isDeleted) throw homeworkNotFound();
    const before = found.assignment;
    const after = { ...before, revision: before.revision + 1 };
    await homeworks.removeAssignment(classId, after, transaction);
    const states = [publishedHomework(found, before), publishedHomework(found, after, true)] as const;
    await outbox.add(changeEvents('homework', ...states), transaction);
    await audit.record(
      { action: 'assignment.deleted', object: { type: 'assignment', id: classId } },
      transaction,
    );
  });
}
