import type { ServiceDependencies } from '../dependencies.ts';
import { useSingleSignOn } from '../singleSignOn/domain/passwordPolicy.ts';
import { attemptedAccount } from './attemptedAccount.ts';
import type { ClientDevice } from './device.ts';
import { maxCodeAttempts, type StoredCode } from './loginCode.ts';
import { invalidCredentials } from './loginErrors.ts';
import { hashLoginIdentifier, parseLoginIdentifier } from './loginIdentifier.ts';
import { type LoginResult, type OpenSessionDependencies, openSession } from './openSession.ts';
import { type SecondFactorLoginDependencies, verifySecondFactor } from './secondFactor.ts';

type Dependencies = OpenSessionDependencies &
  SecondFactorLoginDependencies &
  Pick<ServiceDependencies, 'passwordHasher' | 'wrongCodeLimiter' | 'loginCodes' | 'passwordPolicy'>;

interface Credentials {
  /** Email address or mobile number. */
  email: string;
  code: string;
  /** A second factor code, or a recovery code. */
  totp?: string | null | undefined;
}

/** Logs a user in with a one-time code (D16). The login consumes the code. */
export async function logInWithCode(
  dependencies: Dependencies,
  { email, code, totp }: Credentials,
  client: ClientDevice,
): Promise<LoginResult> {
  const { users, passwordHasher, wrongCodeLimiter, loginCodes, passwordPolicy } = dependencies;
  const identifier = parseLoginIdentifier(email);
  const account = attemptedAccount(await users.findByIdentifier(identifier), identifier);
  const stored = await wrongCodeLimiter.limitFailures(account, async (): Promise<StoredCode | undefined> => {
    const candidate = await loginCodes.countAttempt(hashLoginIdentifier(identifier), maxCodeAttempts);
    return (await passwordHasher.verify(candidate?.codeHash, code)) ? candidate : undefined;
  });
  const user = stored?.userId ? await users.find(stored.userId) : undefined;
  const isRefused = user !== undefined && passwordPolicy.refuses(user);
  if (!stored?.userId || isRefused)
    throw isRefused || passwordPolicy.refersToProvider(identifier) ? useSingleSignOn() : invalidCredentials();
  const consumeSecondFactor = await verifySecondFactor(dependencies, stored.userId, totp);
  return openSession(dependencies, {
    userId: stored.userId,
    client,
    changePassword: true,
    confirm: async (_user, transaction) =>
      (await loginCodes.consume(stored, transaction)) && (await consumeSecondFactor(transaction)),
  });
}
