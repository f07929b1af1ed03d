import { openDatabase } from '@gradeway/shared/database/connection';
import { defineCommand } from '@gradeway/shared/process/runCommand';
import { settings } from '../config.ts';
import { TotpFactorRepository } from '../data/totpFactorRepository.ts';
import { TotpSecretCipher } from '../tokens/totpSecretCipher.ts';

/**
 * After this command, `KEY_ENCRYPTION_SECRET_SECONDARY` is no longer needed. Safe to repeat, even while users log in.
 */
export const reencryptSecondFactors = defineCommand({
  title: 'auth: second factors',
  summary: 'encrypts the secrets of all second factors with KEY_ENCRYPTION_SECRET',
  settings,
  async work({ config, onStop }) {
    const sequelize = openDatabase({ url: config.databaseUrl, name: 'auth second factors', pool: 1 });
    onStop(() => sequelize.close());
    const cipher = new TotpSecretCipher(config.keyEncryptionSecret, config.keyEncryptionSecretSecondary);
    const factors = new TotpFactorRepository(sequelize);
    const stored = await factors.encryptedSecrets();
    // A factor replaced or deleted in the meantime needs no change.
    for (const { userId, encryptedSecret } of stored) {
      const secret = await cipher.decrypt(encryptedSecret, userId);
      await factors.replaceSecret(userId, encryptedSecret, await cipher.encrypt(secret, userId));
    }
    return `auth: encrypted the secrets of ${stored.length} second factors`;
  },
});
