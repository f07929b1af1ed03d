import type { components } from '../../../apiTypes/schema.ts';

export type User = components['schemas']['User'];

export interface NewUser {
  first_name: string;
  last_name: string;
  email: string | null;
  mobile: string | null;
  password: string;
  role: User['role'];
  is_approved: boolean;
  is_verified: boolean;
  is_verified_mobile: boolean;
}

export type UserChange = Partial<NewUser> & { is_blocked?: boolean };

/** English names of the roles, keyed by their API names. */
export const roleNames = {
  user: 'Student',
  instructor: 'Instructor',
  parent: 'Parent',
  admin: 'Administrator',
} as const;
