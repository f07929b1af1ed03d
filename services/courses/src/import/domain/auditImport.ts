import type { AuditChanges } from '@gradeway/shared/audit/auditEntry';
import type { Transaction } from 'sequelize';
import type { ImportDependencies } from '../dependencies.ts';
import type { Import } from './import.ts';

const writingActions = ['create', 'update', 'delete'];

/**
 * Records the commit of an archive or a roster as one entry with the number of rows by file and action, such as `users_create: [0, 120]`. One entry
 * per row would duplicate the archive in the audit log.
 */
export async function auditImport(
  { imports, audit }: Pick<ImportDependencies, 'imports' | 'audit'>,
  { id, courseId }: Pick<Import, 'id' | 'courseId'>,
  transaction: Transaction,
): Promise<void> {
  const changes: AuditChanges = {};
  for (const { file, action, count } of await imports.counts(id))
    if (writingActions.includes(action)) changes[`${file}_${action}`] = [0, count];
  const audited =
    courseId === null
      ? { action: 'import.committed' as const, object: { type: 'import' as const, id } }
      : { action: 'roster.imported' as const, object: { type: 'course' as const, id: courseId } };
  await audit.record({ ...audited, changes }, transaction);
}
