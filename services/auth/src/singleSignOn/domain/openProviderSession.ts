import { inTransaction } from '@gradeway/shared/database/connection';
import { AppError } from '@gradeway/shared/errors/appError';
import { requestContext } from '@gradeway/shared/process/requestContext';
import type { Transaction } from 'sequelize';
import type { ServiceDependencies } from '../../dependencies.ts';
import type { ClientDevice } from '../../domain/device.ts';
import { invalidCredentials, SecondFactorRequired } from '../../domain/loginErrors.ts';
import { type LoginResult, type OpenSessionDependencies, openSession } from '../../domain/openSession.ts';
import { type SecondFactorLoginDependencies, verifySecondFactor } from '../../domain/secondFactor.ts';
import type { ConfirmedIdentity } from './identity.ts';

export type OpenProviderSessionDependencies = OpenSessionDependencies &
  SecondFactorLoginDependencies &
  Pick<ServiceDependencies, 'identities'>;

interface ConfirmedLogin {
  userId: number;
  identity: ConfirmedIdentity;
  client: ClientDevice;
  /** The code of an administrator's second factor. */
  totp?: string | undefined;
  /** Checks the login's other conditions in the same transaction. */
  confirm?(transaction: Transaction): Promise<boolean>;
}

/**
 * Opens a session for a person whom a provider has identified. The sign-in replaces the second factor, except for
 * administrators.
 * @throws SecondFactorRequired if it is missing; AppError for a refused login
 */
export async function openProviderSession(
  dependencies: OpenProviderSessionDependencies,
  { userId, identity, client, totp, confirm = async () => true }: ConfirmedLogin,
): Promise<LoginResult> {
  const { users, identities, log } = dependencies;
  const address = requestContext.getStore()?.address;
  try {
    const isAdministrator = (await users.find(userId))?.role === 'admin';
    const consumeSecondFactor = isAdministrator && (await verifySecondFactor(dependencies, userId, totp));
    const result = await openSession(dependencies, {
      userId,
      client,
      changePassword: false,
      identity,
      confirm: async ({ role }, transaction) => {
        if ((await identities.findUserId(identity, transaction)) !== userId) return false;
        if (role === 'admin' && !(consumeSecondFactor && (await consumeSecondFactor(transaction))))
          return false;
        return confirm(transaction);
      },
    });
    log.info({ user_id: userId, address, provider: identity.provider }, 'login');
    return result;
  } catch (error) {
    if (
      error instanceof AppError &&
      error.code !== 'too_many_requests' &&
      !(error instanceof SecondFactorRequired)
    )
      await recordRefusal(dependencies, userId, error);
    throw error;
  }
}

async function recordRefusal(
  { sequelize, audit, log }: OpenProviderSessionDependencies,
  userId: number,
  { code, message }: AppError,
): Promise<void> {
  if (code !== 'unauthenticated' && code !== 'malformed') return;
  await inTransaction(sequelize, (transaction) =>
    audit.record({ action: 'login.refused', actor: null, object: { type: 'user', id: userId } }, transaction),
  );
  log.info({ user_id: userId, reason: message }, 'login refused');
}

/** Whether the session was not opened because the second factor was wrong or already used. */
export const isWrongSecondFactor = (error: unknown): boolean =>
  error instanceof AppError && error.message === invalidCredentials().message;
