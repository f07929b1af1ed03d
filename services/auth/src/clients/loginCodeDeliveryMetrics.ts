import { counter } from '@gradeway/shared/metrics/registry';
import type { CodeDelivery } from './loginCodeDelivery.ts';

const deliveries = counter(
  'gradeway_login_code_deliveries_total',
  'One-time codes handed to the mail server (or log)',
  ['outcome'],
);
for (const outcome of ['delivered', 'failed']) deliveries.inc({ outcome }, 0);

/** The same delivery, counted. */
export function measureDelivery(delivery: CodeDelivery): CodeDelivery {
  return {
    reaches: (recipient) => delivery.reaches(recipient),
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
