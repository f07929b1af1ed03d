import type { Principal } from '@gradeway/shared/auth/accessToken';
import { inTransaction } from '@gradeway/shared/database/connection';
import { protectAdministrators } from '../apiTokens/domain/protectAdministrators.ts';
import type { ServiceDependencies } from '../dependencies.ts';
import { userChanged } from '../events/userEvents.ts';
import { auditNewUser } from './auditUser.ts';
import { rejectTakenContact, requireContactDetail } from './contactDetails.ts';
import { type ReauthenticationDependencies, requireReauthentication } from './requireReauthentication.ts';
import type { User, UserProperties } from './user.ts';

type Dependencies = ReauthenticationDependencies &
  Pick<ServiceDependencies, 'sequelize' | 'users' | 'passwordHasher' | 'outbox' | 'audit'>;

/** Creates an account. */
export async function createUser(
  dependencies: Dependencies,
  properties: UserProperties,
  password: string,
  administrator: Principal,
): Promise<User> {
  const { sequelize, users, passwordHasher, outbox, audit } = dependencies;
  protectAdministrators(administrator, properties.role);
  requireContactDetail(properties);
  await requireReauthentication(dependencies, administrator);
  const passwordHash = await passwordHasher.hash(password);
  return rejectTakenContact(() =>
    inTransaction(sequelize, async (transaction) => {
      const user = await users.create({ ...properties, passwordHash }, transaction);
      await outbox.add(userChanged(user), transaction);
      await auditNewUser(audit, user, transaction);
      return user;
    }),
  );
}
