import { openDatabase } from '@gradeway/shared/database/connection';
import { runCommand } from '@gradeway/shared/process/runCommand';
import { settings } from './config.ts';
import { SigningKeyRepository } from './data/signingKeyRepository.ts';
import { revokeAndReplaceKeys, rotateNow } from './tokens/rotateSigningKeys.ts';

/**
 * Creates the next signing key ahead of schedule. It is published immediately and starts signing ten minutes later,
 * when every verifier has fetched it. No user is logged out. Safe to run at any time and with any number of replicas.
 *
 * With `--compromised`, revokes all keys instead: every process rejects their tokens within two seconds, and everyone
 * has to log in again.
 */
const parameters = process.argv.slice(2);
const isCompromised = parameters.includes('--compromised');
if (parameters.some((each) => each !== '--compromised')) {
  process.stderr.write(
    `rotateKeys: unknown option: ${parameters.join(' ')}; the only one is --compromised\n`,
  );
  process.exit(2);
}

await runCommand('auth: signing keys', settings, async ({ config, onStop }) => {
  const sequelize = openDatabase({ url: config.databaseUrl, name: 'auth signing keys', pool: 1 });
  onStop('the database', () => sequelize.close());
  const signingKeys = new SigningKeyRepository(sequelize);
  const dependencies = { sequelize, signingKeys, secret: config.keyEncryptionSecret };
  if (isCompromised) {
    const revoked = await revokeAndReplaceKeys(dependencies);
    return `auth: revoked ${revoked} signing keys and created a new one; everyone has to log in again`;
  }
  const { signsFrom, isNew } = await rotateNow(dependencies);
  const outcome = isNew ? 'created a new signing key' : 'a new signing key is already pending';
  return `auth: ${outcome}; it signs from ${signsFrom.toISOString()}`;
});
