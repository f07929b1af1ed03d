import type { Principal } from '@gradeway/shared/auth/accessToken';
import type { Role } from '@gradeway/shared/auth/roles';
import { forbidden } from '@gradeway/shared/errors/appError';

/**
 * Keeps programs from creating, changing, blocking or deleting administrators. Otherwise a token could give its holder
 * an administrator's session, and its scopes would limit nothing.
 * @param roles the roles of the account before and after
 * @throws AppError `forbidden`
 */
export function protectAdministrators({ kind }: Pick<Principal, 'kind'>, ...roles: Role[]): void {
  if (kind !== 'session' && roles.includes('admin')) throw forbidden();
}
