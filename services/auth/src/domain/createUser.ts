import { inTransaction } from '@gradeway/shared/database/connection';
import type { Outbox } from '@gradeway/shared/events/outbox';
import type { Sequelize } from 'sequelize';
import type { UserRepository } from '../data/userRepository.ts';
import { userChanged } from '../events/userChanged.ts';
import { refuseTaken, requireReachable } from './contactDetails.ts';
import type { Passwords } from './passwordHasher.ts';
import type { User, UserProperties } from './user.ts';

interface Dependencies {
  sequelize: Sequelize;
  users: UserRepository;
  passwords: Passwords;
  outbox: Outbox;
}

export async function createUser(
  { sequelize, users, passwords, outbox }: Dependencies,
  properties: UserProperties,
  password: string,
): Promise<User> {
  requireReachable(properties);
  const passwordHash = await passwords.hash(password);
  return refuseTaken(() =>
    inTransaction(sequelize, async (transaction) => {
      const user = await users.create({ ...properties, passwordHash }, transaction);
      await outbox.add(userChanged(user), transaction);
      return user;
    }),
  );
}
