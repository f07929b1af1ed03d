import type { SessionPrincipal } from '@gradeway/shared/auth/authenticate';
import { inTransaction } from '@gradeway/shared/database/connection';
import { invalid, unauthenticated } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../dependencies.ts';
import { useSingleSignOn } from '../singleSignOn/domain/passwordPolicy.ts';
import { type EndSessionsDependencies, endSessions } from './endSessions.ts';
import type { User } from './user.ts';

type Dependencies = EndSessionsDependencies &
  Pick<
    ServiceDependencies,
    'sequelize' | 'users' | 'loginCodes' | 'passwordHasher' | 'passwordLimiter' | 'passwordPolicy' | 'audit'
  >;

interface Change {
  password: string;
  currentPassword: string | undefined;
}

/** Sets a user's own password, ends all other sessions of the account and deletes its outstanding login code. */
export async function changePassword(
  dependencies: Dependencies,
  { userId, sessionId }: SessionPrincipal,
  { password, currentPassword }: Change,
): Promise<void> {
  const { sequelize, users, sessions, loginCodes, passwordHasher, passwordPolicy, audit } = dependencies;
  const [user, session] = await Promise.all([users.find(userId), sessions.find(sessionId)]);
  if (!user || !session) throw unauthenticated('the session ended');
  if (passwordPolicy.refuses(user)) throw useSingleSignOn();
  // A user who logged in with a one-time code may not know the password (D16).
  if (!session.changePassword) await requireCurrentPassword(dependencies, user, currentPassword);
  const passwordHash = await passwordHasher.hash(password);

  await inTransaction(sequelize, async (transaction) => {
    const current = await users.lock(userId, transaction);
    if (!current || !(await sessions.lock(sessionId, transaction)))
      throw unauthenticated('the session ended');
    if (current.passwordHash !== user.passwordHash) throw incorrectCurrentPassword();
    await users.setPassword(userId, passwordHash, transaction);
    await sessions.update(sessionId, { changePassword: false }, transaction);
    await endSessions(dependencies, { userId, except: sessionId }, transaction);
    await loginCodes.deleteByUser(userId, transaction);
    await audit.record({ action: 'password.changed', object: { type: 'user', id: userId } }, transaction);
  });
}

async function requireCurrentPassword(
  { passwordHasher, passwordLimiter }: Dependencies,
  user: User,
  currentPassword: string | undefined,
): Promise<void> {
  if (currentPassword === undefined)
    throw invalid({ current_password: ['The current password field is required.'] });
  const isCorrect = await passwordLimiter.limitFailures(String(user.id), async () =>
    (await passwordHasher.verify(user.passwordHash, currentPassword)) ? true : undefined,
  );
  if (!isCorrect) throw incorrectCurrentPassword();
}

const incorrectCurrentPassword = () => invalid({ current_password: ['The current password is incorrect.'] });
