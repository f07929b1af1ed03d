import { duration, durations, flag, secret } from '@gradeway/shared/config/settingKinds';

export const webhookSettings = {
  webhookEncryptionSecret: secret('WEBHOOK_ENCRYPTION_SECRET', {
    about: 'Encrypts the secrets of webhooks in the database; must be the same in every replica',
  }),
  webhookEncryptionSecretSecondary: secret.optional('WEBHOOK_ENCRYPTION_SECRET_SECONDARY', {
    about:
      'Also decrypts while `WEBHOOK_ENCRYPTION_SECRET` is being replaced: the next or the previous secret',
  }),
  webhookAllowHttp: flag('WEBHOOK_ALLOW_HTTP', {
    default: '0',
    about: 'Whether webhooks may use `http://` URLs, which send their content unencrypted',
  }),
  webhookAllowPrivateAddresses: flag('WEBHOOK_ALLOW_PRIVATE_ADDRESSES', {
    default: '0',
    about:
      'Whether webhooks may use private and loopback addresses; link-local and reserved ones are never allowed',
  }),
  webhookTimeout: duration('WEBHOOK_TIMEOUT', {
    default: '15s',
    about:
      'Time limit for connecting to a receiver and for its response; must be less than `SHUTDOWN_TIMEOUT`',
  }),
  webhookRetrySchedule: durations('WEBHOOK_RETRY_SCHEDULE', {
    default: '5s,5m,30m,2h,5h,10h,14h,20h,24h',
    about: 'Delay after each failed attempt; when all delays are used, the delivery has failed',
  }),
  webhookRetention: duration('WEBHOOK_RETENTION', {
    default: '30d',
    about: 'How long deliveries and their payloads are stored, listed and replayable',
  }),
};
