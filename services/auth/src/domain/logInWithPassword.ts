import type { AttemptLimiter } from '../data/attemptLimiter.ts';
import { attemptedAccount, failedLoginKey } from './attemptedAccount.ts';
import type { ClientDevice } from './device.ts';
import { invalidCredentials } from './loginErrors.ts';
import { parseLoginIdentifier } from './loginIdentifier.ts';
import { type LoginResult, type OpenSessionDependencies, openSession } from './openSession.ts';
import type { PasswordHasher } from './passwordHasher.ts';
import { type SecondFactorLoginDependencies, verifySecondFactor } from './secondFactor.ts';

interface Dependencies extends OpenSessionDependencies, SecondFactorLoginDependencies {
  passwordHasher: PasswordHasher;
  loginLimiter: AttemptLimiter;
}

interface Credentials {
  /** Email address or mobile number. */
  email: string;
  password: string;
  /** A code of the second factor, or a recovery code. */
  totp?: string | null | undefined;
}

/** Logs a user in with a password (specification 1). */
export async function logInWithPassword(
  dependencies: Dependencies,
  { email, password, totp }: Credentials,
  client: ClientDevice,
): Promise<LoginResult> {
  const { users, knownSources, passwordHasher, loginLimiter } = dependencies;
  const identifier = parseLoginIdentifier(email);
  const found = await users.findByIdentifier(identifier);
  const source = await knownSources.find(found?.id, client);
  const key = failedLoginKey(attemptedAccount(found, identifier), source, client);
  const user = await loginLimiter.limitFailures(key, async () =>
    (await passwordHasher.verify(found?.passwordHash, password)) ? found : undefined,
  );
  if (!user) throw invalidCredentials();
  const consumeSecondFactor = await verifySecondFactor(dependencies, user.id, totp);
  return openSession(dependencies, {
    userId: user.id,
    client,
    changePassword: false,
    confirm: async ({ passwordHash }, transaction) =>
      passwordHash === user.passwordHash && (await consumeSecondFactor(transaction)),
  });
}
