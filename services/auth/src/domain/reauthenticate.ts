import type { SessionPrincipal } from '@gradeway/shared/auth/authenticate';
import { invalid, unauthenticated } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../dependencies.ts';

type Dependencies = Pick<ServiceDependencies, 'users' | 'sessions' | 'passwordHasher' | 'passwordLimiter'>;

/** Verifies a logged-in user's password again. The session counts as re-authenticated for ten minutes. */
export async function reauthenticate(
  { users, sessions, passwordHasher, passwordLimiter }: Dependencies,
  { userId, sessionId }: SessionPrincipal,
  password: string,
): Promise<void> {
  const user = await users.find(userId);
  if (!user) throw unauthenticated('the account is deleted');
  const isCorrect = await passwordLimiter.limitFailures(String(userId), async () =>
    (await passwordHasher.verify(user.passwordHash, password)) ? true : undefined,
  );
  if (!isCorrect) throw invalid({ password: ['The password is incorrect.'] });
  await sessions.markReauthenticated(sessionId);
}
