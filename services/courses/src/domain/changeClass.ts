import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import { classChanged } from '../events/classEvents.ts';
import { auditClass } from './auditClass.ts';
import type { Class, ClassProperties } from './class.ts';
import type { ClassDependencies } from './createClass.ts';
import { isNoOpUpdate } from './isNoOpUpdate.ts';

/** Changes the given properties of a class. If none differs, no event is published. */
export function changeClass(
  { sequelize, classes, outbox, audit }: ClassDependencies,
  id: number,
  changes: Partial<ClassProperties>,
): Promise<Class> {
  return inTransaction(sequelize, async (transaction) => {
    const before = await classes.lock(id, transaction);
    if (!before) throw notFound();
    if (isNoOpUpdate(before, changes)) return before;
    const changed = await classes.update(before, changes, transaction);
    await outbox.add(classChanged(changed), transaction);
    await auditClass(audit, 'class.updated', before, changed, transaction);
    return changed;
  });
}
