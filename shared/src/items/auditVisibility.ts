import type { Transaction } from 'sequelize';
import type { AuditObjectType } from '../audit/auditEntry.ts';
import type { EventAuditTrail } from '../audit/auditTrail.ts';
import { isAnonymous } from './anonymity.ts';
import { changesVisibility } from './changeEvents.ts';
import { areGradesVisible } from './item.ts';
import type { PublishedItem } from './itemEvents.ts';

/** Records that grades were released or withheld, and that anonymous grading was turned off. */
export async function auditVisibility(
  audit: EventAuditTrail,
  type: AuditObjectType,
  before: PublishedItem | null,
  after: PublishedItem,
  transaction: Transaction,
): Promise<void> {
  const object = { type, id: after.id };
  if (changesVisibility(before, after)) {
    const action = areGradesVisible(after) ? 'grades.released' : 'grades.withheld';
    await audit.record({ action, object }, transaction);
  }
  // Releasing the grades also ends anonymity, but does not count as unmasking.
  if (before && isAnonymous(before) && !after.anonymous && !areGradesVisible(after))
    await audit.record({ action: 'item.unmasked', object }, transaction);
}
