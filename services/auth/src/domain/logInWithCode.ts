import type { AttemptLimit } from '../data/attemptLimiter.ts';
import type { LoginCodeRepository, StoredCode } from '../data/loginCodeRepository.ts';
import type { Client } from './device.ts';
import { codeTries } from './loginCode.ts';
import { wrongCredentials } from './loginErrors.ts';
import { keyOf, readIdentifier } from './loginIdentifier.ts';
import { type LoginDependencies, type OpenedSession, openSession } from './openSession.ts';
import type { Passwords } from './passwordHasher.ts';

interface Dependencies extends LoginDependencies {
  passwords: Passwords;
  loginAttempts: AttemptLimit;
  loginCodes: LoginCodeRepository;
}

interface Guess {
  /** Address or mobile number. */
  email: string;
  code: string;
}

/** Logs somebody in with a one-time code (D16). A code is good for one login: the one that it opens. */
export async function logInWithCode(
  dependencies: Dependencies,
  { email, code }: Guess,
  client: Client,
): Promise<OpenedSession> {
  const { passwords, loginAttempts, loginCodes } = dependencies;
  const key = keyOf(readIdentifier(email));
  const stored = await loginAttempts.guard(key, async (): Promise<StoredCode | undefined> => {
    const candidate = await loginCodes.takeTry(key, codeTries);
    return (await passwords.verify(candidate?.codeHash, code)) ? candidate : undefined;
  });
  if (!stored?.userId) throw wrongCredentials();
  return openSession(dependencies, {
    userId: stored.userId,
    client,
    changePassword: true,
    stillProven: (_user, transaction) => loginCodes.consume(stored, transaction),
  });
}
