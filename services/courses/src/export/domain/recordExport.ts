import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Sequelize } from 'sequelize';

interface Dependencies {
  sequelize: Sequelize;
  audit: AuditTrail;
}

/**
 * Records an export of a course. Call it before sending the first byte: no data may leave the system without an audit
 * entry.
 */
export async function recordExport(
  { sequelize, audit }: Dependencies,
  action: 'archive.exported' | 'gradebook.exported',
  courseId: number,
): Promise<void> {
  await inTransaction(sequelize, (transaction) =>
    audit.record({ action, object: { type: 'course', id: courseId } }, transaction),
  );
}
