import { openDatabase } from '@gradeway/shared/database/connection';
import { defineCommand } from '@gradeway/shared/process/runCommand';
import { settings } from '../config.ts';
import { SecretCipher } from '../webhooks/data/secretCipher.ts';
import { SubscriptionRepository } from '../webhooks/data/subscriptionRepository.ts';

/**
 * After this command, `WEBHOOK_ENCRYPTION_SECRET_SECONDARY` is no longer needed. Safe to repeat, even while webhooks
 * are delivered and changed.
 */
export const reencryptWebhooks = defineCommand({
  title: 'courses: webhook secrets',
  summary: 'encrypts the secrets of all webhooks with WEBHOOK_ENCRYPTION_SECRET',
  settings,
  async work({ config, onStop }) {
    const sequelize = openDatabase({ url: config.databaseUrl, name: 'courses webhook secrets', pool: 1 });
    onStop(() => sequelize.close());
    const cipher = new SecretCipher(config.webhookEncryptionSecret, config.webhookEncryptionSecretSecondary);
    const subscriptions = new SubscriptionRepository(sequelize);
    let renewed = 0;
    for (const stored of await subscriptions.encryptedSecrets()) {
      const { id, secret, previousSecret } = stored;
      const previous = previousSecret && (await cipher.renew(previousSecret, id));
      const isUnchanged = await subscriptions.replaceSecrets(
        stored,
        await cipher.renew(secret, id),
        previous,
      );
      if (!isUnchanged) throw new Error(`webhook ${id} has changed in the meantime; run the command again`);
      renewed += 1;
    }
    return `courses: encrypted the secrets of ${renewed} webhooks`;
  },
});
