import type { AuditChanges } from '@gradeway/shared/audit/auditEntry';
import type { Transaction } from 'sequelize';
import type { ImportDependencies } from '../dependencies.ts';

const writingActions = ['create', 'update', 'delete'];

/**
 * Records a commit as one entry with the number of rows by file and action, such as `users_create: [0, 120]`. One entry
 * per row would duplicate the archive in the audit log.
 */
export async function auditImport(
  { imports, audit }: Pick<ImportDependencies, 'imports' | 'audit'>,
  id: string,
  transaction: Transaction,
): Promise<void> {
  const changes: AuditChanges = {};
  for (const { file, action, count } of await imports.counts(id))
    if (writingActions.includes(action)) changes[`${file}_${action}`] = [0, count];
  await audit.record({ action: 'import.committed', object: { type: 'import', id }, changes }, transaction);
}
