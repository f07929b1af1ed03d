import { notFound } from '@gradeway/shared/appError';
import { inTransaction } from '@gradeway/shared/database';
import { classDeleted } from '../events/classEvents.ts';
import type { ClassParts } from './createClass.ts';

/** Deletes a class. What was submitted to it is the affair of homework (D43). */
export function deleteClass({ sequelize, classes, outbox }: ClassParts, id: number): Promise<void> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await classes.lock(id, transaction);
    if (!before) throw notFound();
    await outbox.add(classDeleted(await classes.delete(before, transaction)), transaction);
  });
}
