import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { Instructor } from './instructor.ts';

/** Records that an instructor was assigned, got another role or was removed, identified by course and account. */
export async function auditInstructor(
  audit: AuditTrail,
  action: 'instructor.assigned' | 'instructor.removed',
  { before, after }: { before?: Instructor | undefined; after?: Instructor },
  transaction: Transaction,
): Promise<void> {
  const state = (instructor: Instructor | undefined) => ({
    isAssigned: instructor !== undefined,
    role: instructor?.role ?? null,
  });
  const instructor = after ?? before;
  const object = { type: 'instructor' as const, id: `${instructor?.courseId}/${instructor?.userId}` };
  const changes = changesOf(state(before), state(after), ['isAssigned', 'role']);
  await audit.record({ action, object, changes }, transaction);
}
