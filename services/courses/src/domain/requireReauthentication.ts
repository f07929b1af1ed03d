import type { Principal } from '@gradeway/shared/auth/accessToken';
import { reauthenticationRequired } from '@gradeway/shared/errors/appError';
import type { AuthClient } from '../clients/authClient.ts';

/**
 * A token for programs cannot re-authenticate; its scopes limit it instead.
 * @throws AppError `forbidden` if the policy is on and the session has not re-authenticated within ten minutes
 */
export type RequireReauthentication = (principal: Pick<Principal, 'sessionId'>) => Promise<void>;

/** Guards sensitive requests. `isRequired` is the policy (`REAUTHENTICATION`). */
export const createReauthenticationGuard =
  (auth: AuthClient, isRequired: boolean): RequireReauthentication =>
  async ({ sessionId }) => {
    if (!isRequired || sessionId === null) return;
    if (!(await auth.isReauthenticated(sessionId))) throw reauthenticationRequired();
  };
