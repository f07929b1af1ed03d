import type { Transaction } from 'sequelize';
import { type CloudEvent, createEvent } from '../events/cloudEvent.ts';
import type { Outbox } from '../events/outbox.ts';
import { type AuditedAction, createAuditEntry } from './auditEntry.ts';

/** Records the changes that use cases make. */
export interface AuditTrail {
  /** Writes an entry in the transaction of the change, so that neither exists without the other. */
  record(action: AuditedAction, transaction: Transaction): Promise<void>;
}

/** The audit trail of a service that sends its entries to auth as events. */
export interface EventAuditTrail extends AuditTrail {
  /** Returns the event for an entry, for a use case that adds it to the outbox with its other events. */
  eventOf(action: AuditedAction): CloudEvent;
}

/** The audit trail of a service other than auth. */
export function createAuditTrail(service: string, outbox: Outbox): EventAuditTrail {
  const eventOf = (action: AuditedAction): CloudEvent => {
    const entry = createAuditEntry(action);
    return createEvent(service, 'audit.recorded.v1', `audit/${entry.entry_id}`, entry);
  };
  return { eventOf, record: (action, transaction) => outbox.add(eventOf(action), transaction) };
}
