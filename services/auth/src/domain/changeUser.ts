import { inTransaction } from '@gradeway/shared/database/connection';
import { notFound } from '@gradeway/shared/errors/appError';
import type { Sequelize, Transaction } from 'sequelize';
import type { LoginCodeRepository } from '../data/loginCodeRepository.ts';
import type { UserRepository } from '../data/userRepository.ts';
import { userChanged } from '../events/userChanged.ts';
import { refuseTaken, requireReachable } from './contactDetails.ts';
import { endSessions, type SessionDependencies } from './endSessions.ts';
import type { Passwords } from './passwordHasher.ts';
import { requireAnotherAdministrator } from './requireAnotherAdministrator.ts';
import { isActiveAdministrator, type User, type UserProperties } from './user.ts';

interface Dependencies extends SessionDependencies {
  sequelize: Sequelize;
  users: UserRepository;
  loginCodes: LoginCodeRepository;
  passwords: Passwords;
}

export type UserChanges = Partial<UserProperties> & { password?: string };

/** Changes what is given of an account. What makes its tokens say or allow something else ends its sessions (D13). */
export async function changeUser(
  dependencies: Dependencies,
  id: number,
  { password, ...properties }: UserChanges,
): Promise<User> {
  const { sequelize, users, outbox } = dependencies;
  const hashed = password === undefined ? {} : { passwordHash: await dependencies.passwords.hash(password) };
  const mayLoseAdministrator = properties.role !== undefined || properties.isBlocked !== undefined;

  return refuseTaken(() =>
    inTransaction(sequelize, async (transaction) => {
      if (mayLoseAdministrator) await users.lockAdministrators(transaction);
      const before = await users.lock(id, transaction);
      if (!before) throw notFound();
      const wanted = { ...before, ...properties, ...hashed };
      requireReachable(wanted);
      if (isActiveAdministrator(before) && !isActiveAdministrator(wanted))
        await requireAnotherAdministrator(users, transaction);
      if (!differ(before, wanted)) return before;

      const after = await users.change(before, { ...properties, ...hashed }, transaction);
      await withdrawAccess(dependencies, before, after, transaction);
      await outbox.add(userChanged(after), transaction);
      return after;
    }),
  );
}

async function withdrawAccess(
  dependencies: Dependencies,
  before: User,
  after: User,
  transaction: Transaction,
): Promise<void> {
  const endsSessions =
    before.passwordHash !== after.passwordHash ||
    before.role !== after.role ||
    (after.isBlocked && !before.isBlocked);
  const wasReachedElsewhere = before.email !== after.email || before.mobile !== after.mobile;
  if (endsSessions) await endSessions(dependencies, { userId: after.id }, transaction);
  // A code that went to an address of before opens nothing any more.
  if (endsSessions || wasReachedElsewhere) await dependencies.loginCodes.deleteOfUser(after.id, transaction);
}

const differ = (before: User, wanted: User): boolean =>
  (Object.keys(wanted) as (keyof User)[]).some((name) => before[name] !== wanted[name]);
