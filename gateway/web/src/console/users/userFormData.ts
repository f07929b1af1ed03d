import type { NewUser, User, UserChange } from './userTypes.ts';

const flags = ['is_approved', 'is_verified', 'is_verified_mobile'] as const;
const lines = ['first_name', 'last_name', 'email', 'mobile'] as const;

/** The fields that the forms show, to match validation errors to them. */
export const userFields = [...lines, ...flags, 'password', 'role'];

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

export function newUserOf(form: FormData): NewUser {
  return {
    first_name: textOf(form, 'first_name'),
    last_name: textOf(form, 'last_name'),
    email: textOf(form, 'email') || null,
    mobile: textOf(form, 'mobile') || null,
    // The password may start or end with a space.
    password: String(form.get('password') ?? ''),
    role: textOf(form, 'role') as NewUser['role'],
    is_approved: form.get('is_approved') !== null,
    is_verified: form.get('is_verified') !== null,
    is_verified_mobile: form.get('is_verified_mobile') !== null,
  };
}

/** Returns the changes that a form makes to an account. An empty password stays unchanged. */
export function userChangeOf(form: FormData, before: User): UserChange {
  const { password, ...after } = newUserOf(form);
  const changed = Object.entries(after).filter(([name, value]) => value !== before[name as keyof User]);
  return { ...Object.fromEntries(changed), ...(password === '' ? {} : { password }) };
}
