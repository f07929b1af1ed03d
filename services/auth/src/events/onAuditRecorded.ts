import type { EventHandler } from '@gradeway/shared/events/consumeEvents';
import type { AuditRepository } from '../data/auditRepository.ts';

/** Adds an action performed in another service to the audit log. */
export const onAuditRecorded =
  (audit: AuditRepository): EventHandler<'audit.recorded.v1'> =>
  (entry, transaction) =>
    audit.add(entry, transaction);
