import { inTransaction } from '@gradeway/shared/database/connection';
import { isDuplicate } from '@gradeway/shared/database/errors';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Logger } from '@gradeway/shared/process/logger';
import type { Sequelize } from 'sequelize';
import type { UserRepository } from '../data/userRepository.ts';
import { userChanged } from '../events/userChanged.ts';
import type { Passwords } from './passwordHasher.ts';

interface Dependencies {
  sequelize: Sequelize;
  users: UserRepository;
  passwords: Passwords;
  outbox: Outbox;
  log: Logger;
}

interface Account {
  email: string | undefined;
  password: string | undefined;
}

/**
 * Makes the first administrator, when there is none. Replicas that start together make one; later starts change
 * nothing, whatever the settings say by then.
 */
export async function createFirstAdministrator(
  dependencies: Dependencies,
  { email, password }: Account,
): Promise<void> {
  const { sequelize, users, outbox, log } = dependencies;
  try {
    await inTransaction(sequelize, async (transaction) => {
      await users.lockAdministrators(transaction);
      if ((await users.countAdministrators({ blocked: true }, transaction)) > 0) return;
      if (!email || !password) {
        log.warn('there is no administrator; set ADMIN_EMAIL and ADMIN_PASSWORD to have one made');
        return;
      }
      const passwordHash = await dependencies.passwords.hash(password);
      const user = await users.create({ ...firstAdministrator, email, passwordHash }, transaction);
      await outbox.add(userChanged(user), transaction);
      log.info({ user_id: user.id }, 'the first administrator was made');
    });
  } catch (error) {
    // To make somebody else's account an administrator is no decision for a program.
    if (!isDuplicate(error, 'users_email')) throw error;
    log.error('there is no administrator, and ADMIN_EMAIL belongs to an account with another role');
  }
}

const firstAdministrator = {
  ...{ firstName: 'First', lastName: 'Administrator', mobile: null, role: 'admin' as const },
  ...{ isApproved: true, isBlocked: false, isVerified: true, isVerifiedMobile: false },
};
