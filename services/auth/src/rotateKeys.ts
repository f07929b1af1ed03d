import { openDatabase } from '@gradeway/shared/database/connection';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { settings } from './config.ts';
import { SigningKeyRepository } from './data/signingKeyRepository.ts';
import { rotateNow } from './tokens/rotateSigningKeys.ts';

/**
 * Creates the next signing key ahead of schedule. It is published immediately and signs from ten minutes later, when
 * every verifier has fetched it. No user is logged out. Safe to run at any time and with any number of replicas.
 */
await runCommand('auth: signing keys', settings, async ({ config, onStop }) => {
  const sequelize = openDatabase({ url: config.databaseUrl, name: 'auth signing keys', pool: 1 });
  onStop('the database', () => sequelize.close());
  const signingKeys = new SigningKeyRepository(sequelize);
  const { signsFrom, isNew } = await rotateNow({
    sequelize,
    signingKeys,
    secret: config.keyEncryptionSecret,
  });
  const outcome = isNew ? 'created a new signing key' : 'a new signing key is already pending';
  return `auth: ${outcome}; it signs from ${signsFrom.toISOString()}`;
});
