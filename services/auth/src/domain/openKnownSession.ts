import { createAuditEntry } from '@gradeway/shared/audit/auditEntry';
import type { ServiceDependencies } from '../dependencies.ts';
import type { ClientDevice } from './device.ts';
import type { LoginAttempt } from './loginAttempt.ts';
import { isLoginAllowed } from './loginErrors.ts';
import { completeLogin, type LoginResult, type OpenSessionDependencies } from './openSession.ts';

type Dependencies = OpenSessionDependencies & Pick<ServiceDependencies, 'logins'>;

/**
 * Opens a session in one statement if no decision is needed: the account has not changed since it was read and may
 * log in, and the client uses one of its registered devices. Returns undefined in all other cases, which `openSession`
 * handles.
 */
export async function openKnownSession(
  dependencies: Dependencies,
  attempt: LoginAttempt,
  client: ClientDevice,
): Promise<LoginResult | undefined> {
  const { logins, accessTokens, devicePolicy } = dependencies;
  const { user, deviceId } = attempt;
  if (!user || deviceId === null || !isLoginAllowed(user)) return undefined;
  // `openSession` checks for other accounts under a lock on the token (D10).
  if (devicePolicy.singleAccount && client.token !== null) return undefined;

  const token = accessTokens.prepare();
  const entry = createAuditEntry({
    action: 'login.succeeded',
    // The statement adds the session.
    actor: { userId: user.id, sessionId: null, role: user.role },
    object: { type: 'user', id: user.id },
  });
  const opened = await logins.openKnown(user.id, attempt, { client, token, entry });
  if (!opened) return undefined;
  const { sessionId, deviceToken } = opened;
  return completeLogin(dependencies, { user, sessionId, token, deviceToken, client, changePassword: false });
}
