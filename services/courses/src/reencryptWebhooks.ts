import { openDatabase } from '@gradeway/shared/database/connection';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { settings } from './config.ts';
import { SecretCipher } from './webhooks/data/secretCipher.ts';
import { SubscriptionRepository } from './webhooks/data/subscriptionRepository.ts';

/**
 * Encrypts the secrets of all webhooks with `WEBHOOK_ENCRYPTION_SECRET`. After that
 * `WEBHOOK_ENCRYPTION_SECRET_SECONDARY` is no longer needed. Safe to repeat, also while webhooks are delivered and changed.
 */
await runCommand('courses: webhook secrets', settings, async ({ config, onStop }) => {
  const sequelize = openDatabase({ url: config.databaseUrl, name: 'courses webhook secrets', pool: 1 });
  onStop('the database', () => sequelize.close());
  const cipher = new SecretCipher(config.webhookEncryptionSecret, config.webhookEncryptionSecretSecondary);
  const subscriptions = new SubscriptionRepository(sequelize);
  let renewed = 0;
  for (const stored of await subscriptions.encryptedSecrets()) {
    const { id, secret, previousSecret } = stored;
    const previous = previousSecret && (await cipher.renew(previousSecret, id));
    const isUnchanged = await subscriptions.replaceSecrets(stored, await cipher.renew(secret, id), previous);
    if (!isUnchanged) throw new Error(`webhook ${id} has changed meanwhile; run the command again`);
    renewed += 1;
  }
  return `courses: encrypted the secrets of ${renewed} webhooks`;
});
