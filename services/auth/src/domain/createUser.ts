import type { AuditTrail } from '@gradeway/shared/audit/auditTrail';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize } from 'sequelize';
import type { UserRepository } from '../data/userRepository.ts';
import { userChanged } from '../events/userChanged.ts';
import { auditNewUser } from './auditUser.ts';
import { rejectTakenContact, requireContactDetail } from './contactDetails.ts';
import type { PasswordHasher } from './passwordHasher.ts';
import type { User, UserProperties } from './user.ts';

interface Dependencies {
  sequelize: Sequelize;
  users: UserRepository;
  passwordHasher: PasswordHasher;
  outbox: Outbox;
  audit: AuditTrail;
}

export async function createUser(
  { sequelize, users, passwordHasher, outbox, audit }: Dependencies,
  properties: UserProperties,
  password: string,
): Promise<User> {
  requireContactDetail(properties);
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
