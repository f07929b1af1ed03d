import type { AuditChanges } from '@gradeway/shared/audit/auditEntry';
import { inTransaction } from '@gradeway/shared/database/connection';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../dependencies.ts';
import type { ConfirmedIdentity } from '../singleSignOn/domain/identity.ts';
import type { PreparedToken } from '../tokens/accessTokenIssuer.ts';
import type { ClientDevice } from './device.ts';
import { invalidCredentials, requireLoginAllowed } from './loginErrors.ts';
import { registerDevice } from './registerDevice.ts';
import type { User } from './user.ts';

export type OpenSessionDependencies = Pick<
  ServiceDependencies,
  | 'sequelize'
  | 'users'
  | 'devices'
  | 'sessions'
  | 'knownSources'
  | 'accessTokens'
  | 'courses'
  | 'devicePolicy'
  | 'log'
  | 'audit'
  | 'ssoSessions'
>;

/** A login whose credentials were correct. */
interface VerifiedLogin {
  userId: number;
  client: ClientDevice;
  /** Whether the user must set a new password, because none was needed to log in. */
  changePassword: boolean;
  /** The identity at a provider that the user signed in with. */
  identity?: ConfirmedIdentity;
  /** Checks the credentials again under the account lock, because they may have changed since. */
  confirm(user: User, transaction: Transaction): Promise<boolean>;
}

export interface LoginResult {
  user: User;
  sessionId: number;
  accessToken: string;
  expiresAt: Date;
  changePassword: boolean;
  cartItems: number;
  /** The token that the server generated for a browser that sent none (D9). */
  generatedDeviceToken: string | null;
}

/** Opens a session unless the account or the device may not log in. Holds the account lock while it does (D10). */
export async function openSession(
  dependencies: OpenSessionDependencies,
  login: VerifiedLogin,
): Promise<LoginResult> {
  const { sequelize, users, sessions, knownSources, accessTokens, audit, ssoSessions } = dependencies;
  const { userId, client, changePassword, identity } = login;
  const token = accessTokens.prepare();
  const { tokenId, tokenExpiresAt } = token;

  const { user, device, session } = await inTransaction(sequelize, async (transaction) => {
    const user = await users.lock(userId, transaction);
    if (!user || !(await login.confirm(user, transaction))) throw invalidCredentials();
    requireLoginAllowed(user);
    const device = await registerDevice(dependencies, user, client, transaction);
    await knownSources.remember(userId, client, transaction);
    const values = { userId, deviceId: device?.id ?? null, tokenId, tokenExpiresAt, changePassword };
    const reauthenticatedAt = reauthenticationOf(identity);
    const session = await sessions.create({ ...values, reauthenticatedAt }, transaction);
    if (identity) await ssoSessions.add(session.id, identity, transaction);
    const actor = { userId, sessionId: session.id, role: user.role };
    const changes: AuditChanges | null = identity ? { provider: [null, identity.provider] } : null;
    await audit.record(
      { action: 'login.succeeded', actor, object: { type: 'user', id: userId }, changes },
      transaction,
    );
    return { user, device, session };
  });

  const opened = { user, sessionId: session.id, deviceToken: device?.token ?? null };
  return completeLogin(dependencies, { ...opened, token, client, changePassword });
}

/** The time at which a person entered credentials at a provider, by which people without a password re-authenticate. */
function reauthenticationOf(identity: ConfirmedIdentity | undefined): Date | null {
  if (identity?.authenticatedAt === undefined) return null;
  // The provider's clock may be ahead.
  return new Date(Math.min(identity.authenticatedAt * 1_000, Date.now()));
}

interface OpenedSession extends Pick<VerifiedLogin, 'client' | 'changePassword'> {
  user: User;
  sessionId: number;
  token: PreparedToken;
  /** Null for an app that is not tracked. */
  deviceToken: string | null;
}

/** Creates the response to a login whose session is stored. */
export async function completeLogin(
  dependencies: OpenSessionDependencies,
  { user, sessionId, token, deviceToken, client, changePassword }: OpenedSession,
): Promise<LoginResult> {
  return {
    user,
    sessionId,
    accessToken: dependencies.accessTokens.sign(token, { userId: user.id, sessionId, role: user.role }),
    expiresAt: token.tokenExpiresAt,
    changePassword: changePassword || user.mustChangePassword,
    cartItems: await countCartItems(dependencies, user),
    generatedDeviceToken: client.token === null ? deviceToken : null,
  };
}

// A login does not fail because courses is unavailable. It uses the last known count (D14).
async function countCartItems({ courses, users, log }: OpenSessionDependencies, user: User): Promise<number> {
  try {
    const cartItems = await courses.countCartItems(user.id);
    if (cartItems !== user.cartItems) await users.saveCartItems(user.id, cartItems);
    return cartItems;
  } catch (error) {
    log.warn({ err: error }, 'could not count cart items; using the last known count');
    return user.cartItems;
  }
}
