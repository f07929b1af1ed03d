import type { AttemptLimiter } from '../data/attemptLimiter.ts';
import type { LoginCodeRepository, StoredCode } from '../data/loginCodeRepository.ts';
import type { ClientDevice } from './device.ts';
import { maxCodeAttempts } from './loginCode.ts';
import { invalidCredentials } from './loginErrors.ts';
import { hashLoginIdentifier, parseLoginIdentifier } from './loginIdentifier.ts';
import { type LoginResult, type OpenSessionDependencies, openSession } from './openSession.ts';
import type { PasswordHasher } from './passwordHasher.ts';

interface Dependencies extends OpenSessionDependencies {
  passwordHasher: PasswordHasher;
  loginLimiter: AttemptLimiter;
  loginCodes: LoginCodeRepository;
}

interface Credentials {
  /** Email address or mobile number. */
  email: string;
  code: string;
}

/** Logs a user in with a one-time code (D16). The login consumes the code. */
export async function logInWithCode(
  dependencies: Dependencies,
  { email, code }: Credentials,
  client: ClientDevice,
): Promise<LoginResult> {
  const { passwordHasher, loginLimiter, loginCodes } = dependencies;
  const key = hashLoginIdentifier(parseLoginIdentifier(email));
  const stored = await loginLimiter.limitFailures(key, async (): Promise<StoredCode | undefined> => {
    const candidate = await loginCodes.countAttempt(key, maxCodeAttempts);
    return (await passwordHasher.verify(candidate?.codeHash, code)) ? candidate : undefined;
  });
  if (!stored?.userId) throw invalidCredentials();
  return openSession(dependencies, {
    userId: stored.userId,
    client,
    changePassword: true,
    confirm: (_user, transaction) => loginCodes.consume(stored, transaction),
  });
}
