import type { Principal } from '@gradeway/shared/auth/accessToken';
import type { Scope } from '@gradeway/shared/auth/scopes';
import { inTransaction } from '@gradeway/shared/database/connection';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import type { ServiceDependencies } from '../../dependencies.ts';
import {
  type ReauthenticationDependencies,
  requireReauthentication,
} from '../../domain/requireReauthentication.ts';
import type { IssuedToken } from './apiToken.ts';
import { type IssueDependencies, issueToken } from './issueToken.ts';
import { requireScopesOfRole } from './scopesOfRole.ts';

type Dependencies = IssueDependencies &
  ReauthenticationDependencies &
  Pick<ServiceDependencies, 'sequelize' | 'users'>;

interface Wanted {
  name: string;
  scopes: Scope[];
  expiresAt: Date | undefined;
}

/** Issues a token for a person's own programs. It never allows more than the person's role. */
export async function createPersonalToken(
  dependencies: Dependencies,
  caller: Principal,
  wanted: Wanted,
): Promise<IssuedToken> {
  const { sequelize, users } = dependencies;
  const { userId, role } = caller;
  requireScopesOfRole(wanted.scopes, role);
  await requireReauthentication(dependencies, caller);
  return inTransaction(sequelize, async (transaction) => {
    // The lock prevents changes to the role and access until the token is stored; later changes then end the token.
    const user = await users.lock(userId, transaction);
    if (!user || user.isBlocked || user.role !== role) throw unauthenticated('the session ended');
    return issueToken(dependencies, { userId }, { ...wanted, role, courseIds: null }, transaction);
  });
}
