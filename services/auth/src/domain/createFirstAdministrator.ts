import { inTransaction } from '@gradeway/shared/database/connection';
import { isUniqueViolation } from '@gradeway/shared/database/errors';
import type { ServiceDependencies } from '../dependencies.ts';
import { userChanged } from '../events/userEvents.ts';
import { auditNewUser } from './auditUser.ts';
import { normalizeEmail } from './loginIdentifier.ts';

type Dependencies = Pick<
  ServiceDependencies,
  'sequelize' | 'users' | 'passwordHasher' | 'outbox' | 'audit' | 'log'
>;

interface Account {
  email: string | undefined;
  password: string | undefined;
}

const firstAdministrator = {
  firstName: 'First',
  lastName: 'Administrator',
  mobile: null,
  role: 'admin' as const,
  isApproved: true,
  isBlocked: false,
  isVerified: true,
  isVerifiedMobile: false,
};

/**
 * Creates the first administrator if none exists. Replicas that start together create only one. Later starts change
 * nothing, even if the settings have changed.
 */
export async function createFirstAdministrator(
  dependencies: Dependencies,
  { email, password }: Account,
): Promise<void> {
  const { sequelize, users, passwordHasher, outbox, audit, log } = dependencies;
  try {
    await inTransaction(sequelize, async (transaction) => {
      await users.lockAdministrators(transaction);
      if ((await users.countAdministrators({ includeBlocked: true }, transaction)) > 0) return;
      if (!email || !password) {
        log.warn('no administrator exists; set ADMIN_EMAIL and ADMIN_PASSWORD to create one');
        return;
      }
      const passwordHash = await passwordHasher.hash(password);
      const account = { ...firstAdministrator, email: normalizeEmail(email), passwordHash };
      const user = await users.create(account, transaction);
      await outbox.add(userChanged(user), transaction);
      await auditNewUser(audit, user, transaction);
      log.info({ user_id: user.id }, 'created the first administrator');
    });
  } catch (error) {
    // Promoting an existing account must be a person's decision.
    if (!isUniqueViolation(error, 'users_email')) throw error;
    log.error('no administrator exists, and ADMIN_EMAIL belongs to an account with another role');
  }
}
