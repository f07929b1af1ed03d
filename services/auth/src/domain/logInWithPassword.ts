import type { ServiceDependencies } from '../dependencies.ts';
import { useSingleSignOn } from '../singleSignOn/domain/passwordPolicy.ts';
import type { ClientDevice } from './device.ts';
import { invalidCredentials } from './loginErrors.ts';
import { parseLoginIdentifier } from './loginIdentifier.ts';
import { openKnownSession } from './openKnownSession.ts';
import { type LoginResult, type OpenSessionDependencies, openSession } from './openSession.ts';
import { type SecondFactorLoginDependencies, verifySecondFactor } from './secondFactor.ts';

type Dependencies = OpenSessionDependencies &
  SecondFactorLoginDependencies &
  Pick<ServiceDependencies, 'logins' | 'passwordHasher' | 'loginLimiter' | 'passwordPolicy'>;

interface Credentials {
  /** Email address or mobile number. */
  email: string;
  password: string;
  /** A second factor code, or a recovery code. */
  totp?: string | null | undefined;
}

/** Logs a user in with a password (specification 1). */
export async function logInWithPassword(
  dependencies: Dependencies,
  { email, password, totp }: Credentials,
  client: ClientDevice,
): Promise<LoginResult> {
  const { logins, passwordHasher, loginLimiter, passwordPolicy } = dependencies;
  const identifier = parseLoginIdentifier(email);
  const attempt = await logins.find(identifier, client);
  const { user, failuresKey, failures } = attempt;
  await loginLimiter.requireFew(failuresKey, failures);
  const isCorrect = await passwordHasher.verify(user?.passwordHash, password);
  const isRefused = isCorrect && user !== undefined && passwordPolicy.refuses(user);
  if (!isCorrect || !user || isRefused) {
    await loginLimiter.countFailure(failuresKey);
    throw isRefused || passwordPolicy.refersToProvider(identifier) ? useSingleSignOn() : invalidCredentials();
  }
  const opened = await openKnownSession(dependencies, attempt, client);
  if (opened) return opened;

  // Checks again, as in AttemptLimiter: other attempts may have failed while the password was verified.
  await loginLimiter.requireFew(failuresKey);
  const consumeSecondFactor = await verifySecondFactor(dependencies, user.id, totp);
  return openSession(dependencies, {
    userId: user.id,
    client,
    changePassword: false,
    confirm: async ({ passwordHash }, transaction) =>
      passwordHash === user.passwordHash && (await consumeSecondFactor(transaction)),
  });
}
