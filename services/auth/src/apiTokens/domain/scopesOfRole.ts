import type { Role } from '@gradeway/shared/auth/roles';
import { type Scope, scopes } from '@gradeway/shared/auth/scopes';
import { invalid } from '@gradeway/shared/errors/appError';

/** The scopes with at least one operation that the role may call: those that a person's token can have. */
export const scopesOfRole: Record<Role, readonly Scope[]> = {
  user: ['courses:read', 'work:read', 'grades:read', 'files:read', 'submissions:write'],
  instructor: [
    'courses:read',
    'courses:write',
    'users:read',
    'work:read',
    'work:write',
    'grades:read',
    'grades:write',
    'files:read',
    'submissions:write',
    'import',
  ],
  parent: [],
  admin: scopes,
};

/** @throws AppError `invalid` for a scope that allows the role nothing */
export function requireScopesOfRole(wanted: readonly Scope[], role: Role): void {
  const beyond = wanted.filter((scope) => !scopesOfRole[role].includes(scope));
  if (beyond.length > 0)
    throw invalid({ scopes: beyond.map((scope) => `Your role does not allow the scope ${scope}.`) });
}
