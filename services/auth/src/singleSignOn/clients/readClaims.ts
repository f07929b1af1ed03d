import { isEmail, normalizeEmail } from '../../domain/loginIdentifier.ts';
import type { ProviderSettings } from '../config.ts';
import type { PersonClaims } from '../domain/identity.ts';

const longestText = 255;

/** Reads a provider's claims, which may be missing or of any type. */
export function readClaims(
  claims: Record<string, unknown>,
  { roles }: Pick<ProviderSettings, 'roles'>,
): PersonClaims {
  const email = normalizeEmail(textOf(claims.email));
  const given = textOf(claims.given_name);
  const names = given
    ? { firstName: given, lastName: textOf(claims.family_name) }
    : { firstName: textOf(claims.name) || email.split('@')[0] || 'New user', lastName: '' };
  return {
    ...names,
    email: isEmail(email) ? email : null,
    // Some providers send a text.
    isEmailVerified: claims.email_verified === true || claims.email_verified === 'true',
    role: roleOf(claims, roles),
  };
}

// Control characters would end up in file names and emails.
function textOf(value: unknown): string {
  if (typeof value !== 'string') return '';
  return [...value.replace(/\p{Cc}+/gu, ' ').trim()].slice(0, longestText).join('');
}

/** The first role in the map whose value the claim contains. The claim is a string or a list of strings. */
function roleOf(claims: Record<string, unknown>, roles: ProviderSettings['roles']): PersonClaims['role'] {
  if (!roles) return 'user';
  const values = [claims[roles.claim] ?? nested(claims, roles.claim)].flat();
  return Object.entries(roles.map).find(([value]) => values.includes(value))?.[1] ?? 'user';
}

/** Keycloak's `realm_access.roles`. */
const nested = (claims: unknown, path: string): unknown =>
  path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], claims);
