import type { Transaction } from 'sequelize';
import { createEvent } from '../events/cloudEvent.ts';
import type { Outbox } from '../events/outbox.ts';
import { type AuditedAction, createAuditEntry } from './auditEntry.ts';

/** Where use cases record what was done. */
export interface AuditTrail {
  /** Writes an entry in the transaction of the change: neither exists without the other. */
  record(action: AuditedAction, transaction: Transaction): Promise<void>;
}

/** The audit trail of a service other than auth: entries travel to auth as events. */
export const createAuditTrail = (service: string, outbox: Outbox): AuditTrail => ({
  async record(action, transaction) {
    const entry = createAuditEntry(action);
    await outbox.add(
      createEvent(service, 'audit.recorded.v1', `audit/${entry.entry_id}`, entry),
      transaction,
    );
  },
});
