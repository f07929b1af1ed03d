import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import { classDeleted } from '../events/classEvents.ts';
import { auditClass } from './auditClass.ts';
import type { ClassDependencies } from './createClass.ts';

/** Deletes a class. Homework decides what happens to the submissions (D43). */
export function deleteClass(
  { sequelize, classes, outbox, audit }: ClassDependencies,
  id: number,
): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await classes.lock(id, transaction);
    if (!before) throw notFound();
    await outbox.add(classDeleted(await classes.delete(before, transaction)), transaction);
    await auditClass(audit, 'class.deleted', before, null, transaction);
  });
}
