import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize } from 'sequelize';
import type { UserRepository } from '../data/userRepository.ts';
import { userChanged } from '../events/userEvents.ts';
import { auditNewUser } from './auditUser.ts';
import { rejectTakenContact, requireContactDetail } from './contactDetails.ts';
import type { PasswordHasher } from './passwordHasher.ts';
import { type ReauthenticationDependencies, requireReauthentication } from './requireReauthentication.ts';
import type { User, UserProperties } from './user.ts';

interface Dependencies extends ReauthenticationDependencies {
  sequelize: Sequelize;
  users: UserRepository;
  passwordHasher: PasswordHasher;
  outbox: Outbox;
  audit: AuditTrail;
}

/** Creates an account. `sessionId` is the administrator's session. */
export async function createUser(
  dependencies: Dependencies,
  properties: UserProperties,
  password: string,
  sessionId: number,
): Promise<User> {
  const { sequelize, users, passwordHasher, outbox, audit } = dependencies;
  requireContactDetail(properties);
  await requireReauthentication(dependencies, sessionId);
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
