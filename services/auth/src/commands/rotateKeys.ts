import { openDatabase } from '@gradeway/shared/database/connection';
import { defineCommand } from '@gradeway/shared/process/runCommand';
import { settings } from '../config.ts';
import { SigningKeyRepository } from '../data/signingKeyRepository.ts';
import { revokeAndReplaceKeys, rotateNow } from '../tokens/rotateSigningKeys.ts';

/**
 * Creates the next signing key ahead of schedule. It is published immediately and starts signing ten minutes later,
 * when every verifier has fetched it. No user is logged out. Safe to run at any time and with any number of replicas.
 *
 * With `--compromised`, revokes all keys instead: every process rejects their tokens within two seconds, and everyone
 * has to log in again.
 */
export const rotateKeys = defineCommand({
  title: 'auth: signing keys',
  summary: 'creates the next signing key now; with --compromised, revokes all keys and logs everyone out',
  options: ['--compromised'],
  settings,
  async work({ config, options, onStop }) {
    const sequelize = openDatabase({ url: config.databaseUrl, name: 'auth signing keys', pool: 1 });
    onStop(() => sequelize.close());
    const signingKeys = new SigningKeyRepository(sequelize);
    const dependencies = { sequelize, signingKeys, secret: config.keyEncryptionSecret };
    if (options.includes('--compromised')) {
      const revoked = await revokeAndReplaceKeys(dependencies);
      return `auth: revoked ${revoked} signing keys and created a new one; everyone has to log in again`;
    }
    const { signsFrom, isNew } = await rotateNow(dependencies);
    const outcome = isNew ? 'created a new signing key' : 'a new signing key is already pending';
    return `auth: ${outcome}; it signs from ${signsFrom.toISOString()}`;
  },
});
