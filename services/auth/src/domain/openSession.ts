import { inTransaction } from '@gradeway/shared/database/connection';
import type { Logger } from '@gradeway/shared/process/logger';
import type { Sequelize, Transaction } from 'sequelize';
import type { CoursesClient } from '../clients/coursesClient.ts';
import type { DeviceRepository } from '../data/deviceRepository.ts';
import type { SessionRepository } from '../data/sessionRepository.ts';
import type { UserRepository } from '../data/userRepository.ts';
import type { AccessTokens } from '../tokens/accessTokenIssuer.ts';
import type { Client } from './device.ts';
import { requireMayLogIn, wrongCredentials } from './loginErrors.ts';
import { admitDevice, type DeviceRules } from './registerDevice.ts';
import type { User } from './user.ts';

export interface LoginDependencies {
  sequelize: Sequelize;
  users: UserRepository;
  devices: DeviceRepository;
  sessions: SessionRepository;
  tokens: AccessTokens;
  courses: CoursesClient;
  deviceRules: DeviceRules;
  log: Logger;
}

/** Somebody who has proved to be the owner of an account. */
interface Proven {
  userId: number;
  client: Client;
  /** Whether the password must be changed: it was not needed to log in. */
  changePassword: boolean;
  /** Looks again, now that nothing can change any more: a password or code that was right may no longer be. */
  stillProven(user: User, transaction: Transaction): Promise<boolean> | boolean;
}

export interface OpenedSession {
  user: User;
  sessionId: number;
  accessToken: string;
  expiresAt: Date;
  changePassword: boolean;
  cartItems: number;
  /** The token that the server made for a browser that brought none (D9). */
  madeDeviceToken: string | null;
}

/** Opens a session, unless the account or the device may not log in. The account is locked meanwhile (D10). */
export async function openSession(dependencies: LoginDependencies, proven: Proven): Promise<OpenedSession> {
  const { sequelize, users, sessions, tokens } = dependencies;
  const { userId, client, changePassword } = proven;
  const token = tokens.next();
  const { tokenId, tokenExpiresAt } = token;

  const { user, device, session } = await inTransaction(sequelize, async (transaction) => {
    const user = await users.lock(userId, transaction);
    if (!user || !(await proven.stillProven(user, transaction))) throw wrongCredentials();
    requireMayLogIn(user);
    const device = await admitDevice(dependencies, userId, client, transaction);
    const values = { userId, deviceId: device?.id ?? null, tokenId, tokenExpiresAt, changePassword };
    return { user, device, session: await sessions.create(values, transaction) };
  });

  return {
    user,
    sessionId: session.id,
    accessToken: tokens.sign(token, { userId, sessionId: session.id, role: user.role }),
    expiresAt: tokenExpiresAt,
    changePassword,
    cartItems: await countCartItems(dependencies, user),
    madeDeviceToken: client.token === null && device ? device.token : null,
  };
}

// When courses does not answer, it is the number that it said last (D14): nobody stays outside for that.
async function countCartItems({ courses, users, log }: LoginDependencies, user: User): Promise<number> {
  try {
    const cartItems = await courses.countCartItems(user.id);
    if (cartItems !== user.cartItems) await users.rememberCartItems(user.id, cartItems);
    return cartItems;
  } catch (error) {
    log.warn({ err: error }, 'cart_items is what courses said last');
    return user.cartItems;
  }
}
