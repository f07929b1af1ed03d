import { openDatabase } from '@gradeway/shared/database/connection';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { settings } from './config.ts';
import { SigningKeyRepository } from './data/signingKeyRepository.ts';
import { rotateNow } from './tokens/rotateSigningKeys.ts';

/**
 * Makes a new signing key before its time: it is published at once and signs ten minutes later, when every verifier
 * has it. Nobody is logged out. Safe at any time and with any number of replicas.
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
  const which = isNew ? 'a new key signs' : 'a key is waiting already, it signs';
  return `auth: ${which} from ${signsFrom.toISOString()} on`;
});
