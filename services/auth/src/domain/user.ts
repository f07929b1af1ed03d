import type { Role } from '@gradeway/shared/auth/roles';

/** An account. */
export interface User {
  id: number;
  firstName: string;
  lastName: string;
  /** At least one of `email` and `mobile` is set (D15). */
  email: string | null;
  mobile: string | null;
  passwordHash: string;
  /** The password comes from an import file, which others may have read. */
  mustChangePassword: boolean;
  role: Role;
  isApproved: boolean;
  isBlocked: boolean;
  isVerified: boolean;
  isVerifiedMobile: boolean;
  /** Whether a sign-in at a provider created the account. */
  isSelfRegistered: boolean;
  /** The last known count from courses (D14). */
  cartItems: number;
  revision: number;
  createdAt: Date;
}

/** The properties that an administrator can set, other than the password. */
export type UserProperties = Omit<
  User,
  'id' | 'passwordHash' | 'mustChangePassword' | 'isSelfRegistered' | 'cartItems' | 'revision' | 'createdAt'
>;

export const fullName = ({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim();

/**
 * Whether an account may have somebody else's address: a person entered it at a provider, and neither the provider nor
 * an administrator has verified it. The address then identifies no one: otherwise that person would share the account
 * with the address' owner, or be enrolled in the owner's place (pre-hijacking).
 */
export const hasUnprovenAddress = ({
  isSelfRegistered,
  isVerified,
}: Pick<User, 'isSelfRegistered' | 'isVerified'>): boolean => isSelfRegistered && !isVerified;

/** Whether an administrator can log in with this account. */
export const isActiveAdministrator = ({ role, isBlocked }: Pick<User, 'role' | 'isBlocked'>): boolean =>
  role === 'admin' && !isBlocked;

/** The empty profile fields, in the order of D15. */
export function missingData(user: Pick<User, 'firstName' | 'lastName' | 'email' | 'mobile'>): string[] {
  const fields = {
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    mobile: user.mobile,
  };
  return Object.entries(fields).flatMap(([name, value]) => (value ? [] : [name]));
}
