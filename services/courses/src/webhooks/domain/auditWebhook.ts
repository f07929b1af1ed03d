import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { changesOf } from '@gradeway/shared/audit/changesOf';
import type { Transaction } from 'sequelize';
import type { Subscription } from './subscription.ts';

type Action = 'created' | 'updated' | 'deleted' | 'secret_rotated' | 'tested' | 'replayed';

/**
 * Records an administrator's change to a webhook. Stores only the scheme and host of its URL: for many receivers, path
 * and query serve as the password.
 */
export async function auditWebhook(
  audit: AuditTrail,
  action: Action,
  id: number,
  transaction: Transaction,
  [before, after]: [Subscription | null, Subscription | null] = [null, null],
): Promise<void> {
  const changes = {
    ...changesOf(before, after, ['description', 'eventTypes', 'isActive']),
    ...(before?.url === after?.url ? {} : { url: [hostOf(before), hostOf(after)] as [unknown, unknown] }),
  };
  const object = { type: 'webhook' as const, id };
  const hasChanges = Object.keys(changes).length > 0;
  await audit.record(
    { action: `webhook.${action}`, object, changes: hasChanges ? changes : null },
    transaction,
  );
}

const hostOf = (subscription: Subscription | null) => subscription && new URL(subscription.url).origin;
