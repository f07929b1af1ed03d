import { inTransaction } from '@gradeway/shared/database/connection';
import { AppError } from '@gradeway/shared/errors/appError';
import type { ErrorKind } from '@gradeway/shared/errors/errorCodes';
import { identifyActor, requestContext } from '@gradeway/shared/process/requestContext';
import type { ServiceDependencies } from '../dependencies.ts';
import { parseLoginIdentifier } from './loginIdentifier.ts';
import type { LoginResult } from './openSession.ts';

type Dependencies = Pick<ServiceDependencies, 'sequelize' | 'users' | 'audit' | 'log'>;

// A login beyond a limit (429) was never attempted, so it is only counted (gradeway_logins_total): password guessing
// must not be able to fill the audit log.
const refusals: ErrorKind[] = ['unauthenticated', 'malformed', 'forbidden'];

/**
 * Runs a login and logs its account and address. A refused login is recorded before the response; a successful one is
 * recorded in the transaction that opens the session.
 */
export async function auditLogin(
  dependencies: Dependencies,
  identifier: string,
  logIn: () => Promise<LoginResult>,
): Promise<LoginResult> {
  const { log } = dependencies;
  const address = requestContext.getStore()?.address;
  try {
    const result = await logIn();
    const { user, sessionId } = result;
    identifyActor({ userId: user.id, sessionId, role: user.role });
    log.info({ user_id: user.id, address }, 'login');
    return result;
  } catch (error) {
    if (error instanceof AppError && refusals.includes(error.code)) {
      const userId = await recordRefusal(dependencies, identifier);
      log.info({ user_id: userId, address, reason: error.message }, 'login refused');
    }
    throw error;
  }
}

/**
 * Records a refused login with the account, if one exists, and returns the account's id. The submitted name is not
 * recorded, because users type passwords into the wrong field. Known and unknown accounts take the same steps, and so
 * the same time (D8).
 */
async function recordRefusal(
  { sequelize, users, audit }: Dependencies,
  identifier: string,
): Promise<number | null> {
  const account = await users.findByIdentifier(parseLoginIdentifier(identifier));
  const object = account ? { object: { type: 'user' as const, id: account.id } } : {};
  await inTransaction(sequelize, (transaction) =>
    audit.record({ action: 'login.refused', actor: null, ...object }, transaction),
  );
  return account?.id ?? null;
}
