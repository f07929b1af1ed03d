import type { AttemptLimit } from '../data/attemptLimiter.ts';
import type { Client } from './device.ts';
import { wrongCredentials } from './loginErrors.ts';
import { keyOf, readIdentifier } from './loginIdentifier.ts';
import { type LoginDependencies, type OpenedSession, openSession } from './openSession.ts';
import type { Passwords } from './passwordHasher.ts';

interface Dependencies extends LoginDependencies {
  passwords: Passwords;
  loginAttempts: AttemptLimit;
}

interface Credentials {
  /** Address or mobile number. */
  email: string;
  password: string;
}

/** Logs somebody in with a password (specification 1). */
export async function logIn(
  dependencies: Dependencies,
  { email, password }: Credentials,
  client: Client,
): Promise<OpenedSession> {
  const { users, passwords, loginAttempts } = dependencies;
  const identifier = readIdentifier(email);
  const user = await loginAttempts.guard(keyOf(identifier), async () => {
    const found = await users.findByIdentifier(identifier);
    return (await passwords.verify(found?.passwordHash, password)) ? found : undefined;
  });
  if (!user) throw wrongCredentials();
  return openSession(dependencies, {
    userId: user.id,
    client,
    changePassword: false,
    stillProven: ({ passwordHash }) => passwordHash === user.passwordHash,
  });
}
