import type { Role } from '@gradeway/shared/auth/roles';

/** An account. */
export interface User {
  id: number;
  firstName: string;
  lastName: string;
  /** At least one of `email` and `mobile` is there (D15). */
  email: string | null;
  mobile: string | null;
  passwordHash: string;
  role: Role;
  isApproved: boolean;
  isBlocked: boolean;
  isVerified: boolean;
  isVerifiedMobile: boolean;
  /** What courses last said (D14). */
  cartItems: number;
  revision: number;
  createdAt: Date;
}

/** What an administrator may set of an account; the password only ever as its hash. */
export type UserProperties = Omit<User, 'id' | 'passwordHash' | 'cartItems' | 'revision' | 'createdAt'>;

export const fullName = ({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string =>
  `${firstName} ${lastName}`.trim();

/** Whether somebody can administer the school with this account. */
export const isActiveAdministrator = ({ role, isBlocked }: Pick<User, 'role' | 'isBlocked'>): boolean =>
  role === 'admin' && !isBlocked;

/** The profile fields that are still to be filled, in the order of D15. */
export function missingData(user: Pick<User, 'firstName' | 'lastName' | 'email' | 'mobile'>): string[] {
  const fields = {
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    mobile: user.mobile,
  };
  return Object.entries(fields).flatMap(([name, value]) => (value ? [] : [name]));
}
