import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Sequelize } from 'sequelize';

interface Dependencies {
  sequelize: Sequelize;
  audit: AuditTrail;
}

/** Records an export of a course. To be called before its first byte: no data leave the system without an entry. */
export async function recordExport(
  { sequelize, audit }: Dependencies,
  action: 'archive.exported' | 'gradebook.exported',
  courseId: number,
): Promise<void> {
  await inTransaction(sequelize, (transaction) =>
    audit.record({ action, object: { type: 'course', id: courseId } }, transaction),
  );
}
