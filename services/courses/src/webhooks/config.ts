import { duration, durations, flag, secret } from '@gradeway/shared/config/readConfig';

/** What the service reads for its webhooks. */
export const webhookSettings = {
  webhookEncryptionSecret: secret('WEBHOOK_ENCRYPTION_SECRET', {
    about: 'Encrypts the secrets of webhooks in the database; the same in every replica',
  }),
  webhookAllowHttp: flag('WEBHOOK_ALLOW_HTTP', {
    default: '0',
    about: 'Whether webhooks may go to `http://` addresses, where everybody on the way can read them',
  }),
  webhookAllowPrivateAddresses: flag('WEBHOOK_ALLOW_PRIVATE_ADDRESSES', {
    default: '0',
    about: 'Whether webhooks may go to private and loopback addresses; never to link-local and reserved ones',
  }),
  webhookTimeout: duration('WEBHOOK_TIMEOUT', {
    default: '15s',
    about: 'How long a receiver may take to answer, connecting included; less than `SHUTDOWN_TIMEOUT`',
  }),
  webhookRetrySchedule: durations('WEBHOOK_RETRY_SCHEDULE', {
    default: '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    about: 'How long to wait after each failed attempt; after the last one the delivery has failed',
  }),
  webhookDisableAfter: duration('WEBHOOK_DISABLE_AFTER', {
    default: '5d',
    about: 'A webhook that nothing could be delivered to for so long is switched off',
  }),
  webhookRetention: duration('WEBHOOK_RETENTION', {
    default: '30d',
    about: 'How long deliveries are listed and can be replayed, with what they told',
  }),
};
