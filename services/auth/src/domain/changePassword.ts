import type { Principal } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid, unauthenticated } from '@gradeway/shared/errors/appError';
import { requiredMessage } from '@gradeway/shared/http/validation';
import type { Sequelize } from 'sequelize';
import type { AttemptLimit } from '../data/attemptLimiter.ts';
import type { LoginCodeRepository } from '../data/loginCodeRepository.ts';
import type { UserRepository } from '../data/userRepository.ts';
import { endSessions, type SessionDependencies } from './endSessions.ts';
import type { Passwords } from './passwordHasher.ts';
import type { User } from './user.ts';

interface Dependencies extends SessionDependencies {
  sequelize: Sequelize;
  users: UserRepository;
  loginCodes: LoginCodeRepository;
  passwords: Passwords;
  passwordAttempts: AttemptLimit;
}

interface Change {
  password: string;
  currentPassword: string | undefined;
}

/**
 * Sets a person's own password. Everywhere else the account is logged out, and codes that were sent count no more;
 * the session that did it goes on.
 */
export async function changePassword(
  dependencies: Dependencies,
  { userId, sessionId }: Principal,
  { password, currentPassword }: Change,
): Promise<void> {
  const { sequelize, users, sessions, loginCodes, passwords } = dependencies;
  const [user, session] = await Promise.all([users.find(userId), sessions.find(sessionId)]);
  if (!user || !session) throw unauthenticated('the session ended');
  // Who came with a one-time code may not know the password (D16).
  if (!session.changePassword) await requireCurrentPassword(dependencies, user, currentPassword);
  const passwordHash = await passwords.hash(password);

  await inTransaction(sequelize, async (transaction) => {
    const current = await users.lock(userId, transaction);
    if (!current || !(await sessions.lock(sessionId, transaction)))
      throw unauthenticated('the session ended');
    if (current.passwordHash !== user.passwordHash) throw wrongCurrentPassword();
    await users.setPassword(userId, passwordHash, transaction);
    await sessions.update(sessionId, { changePassword: false }, transaction);
    await endSessions(dependencies, { userId, except: sessionId }, transaction);
    await loginCodes.deleteOfUser(userId, transaction);
  });
}

async function requireCurrentPassword(
  { passwords, passwordAttempts }: Dependencies,
  user: User,
  currentPassword: string | undefined,
): Promise<void> {
  if (currentPassword === undefined)
    throw invalid({ current_password: [requiredMessage('current password')] });
  const right = await passwordAttempts.guard(String(user.id), async () =>
    (await passwords.verify(user.passwordHash, currentPassword)) ? true : undefined,
  );
  if (!right) throw wrongCurrentPassword();
}

const wrongCurrentPassword = () => invalid({ current_password: ['The current password is incorrect.'] });
