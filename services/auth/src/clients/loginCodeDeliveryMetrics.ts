import { counter } from '@gradeway/shared/metrics/registry';
import type { LoginCodeDelivery } from './loginCodeDelivery.ts';

const deliveries = counter(
  'gradeway_login_code_deliveries_total',
  'One-time codes handed to the mail server (or log)',
  ['outcome'],
);
for (const outcome of ['delivered', 'failed']) deliveries.inc({ outcome }, 0);

/** Wraps a delivery and counts its outcomes. */
export function measureLoginCodeDelivery(delivery: LoginCodeDelivery): LoginCodeDelivery {
  return {
    canReach: (recipient) => delivery.canReach(recipient),
    async deliver(code, recipient) {
      try {
        await delivery.deliver(code, recipient);
        deliveries.inc({ outcome: 'delivered' });
      } catch (error) {
        deliveries.inc({ outcome: 'failed' });
        throw error;
      }
    },
    close: () => delivery.close(),
  };
}
